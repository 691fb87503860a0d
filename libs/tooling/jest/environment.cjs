// jest's environment, except that limits of tests and hooks are longer by ASSAY_TEST_PATIENCE: on a slow machine a test that passes takes longer,
// and one that hangs is no sooner of interest.
const { TestEnvironment } = require('jest-environment-node');
const { patience } = require('../../testing/dist/patience.js');

module.exports = class PatientEnvironment extends TestEnvironment {
  handleTestEvent({ name, hook, test }) {
    const limited = { hook_start: hook, test_start: test }[name];
    if (limited?.timeout) limited.timeout *= patience;
  }
};
