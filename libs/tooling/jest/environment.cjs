// jest's environment, except that limits of tests and hooks are longer by TEST_PATIENCE: on a slow machine a test that passes takes longer,
// and one that hangs is no sooner of interest.
const { TestEnvironment } = require('jest-environment-node');
const { patience } = require('../../testing/dist/patience.js');

module.exports = class PatientEnvironment extends TestEnvironment {
  /** A hook starts once for each test. */
  #longer = new WeakSet();

  handleTestEvent({ name, hook, test }) {
    const limited = { hook_start: hook, test_start: test }[name];
    if (!limited?.timeout || this.#longer.has(limited)) return;
    this.#longer.add(limited);
    limited.timeout *= patience;
  }
};
