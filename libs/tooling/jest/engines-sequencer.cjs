// The order of the tests on engines. It is asked for before the setup, which starts the engines that these suites need.
const SlowestFirst = require('./slowest-first.cjs');

module.exports = class OfSuitesOnEngines extends SlowestFirst {
  /** Paths of the suites that run; undefined when another sequencer has put them in order. */
  static suites;

  sort(tests) {
    OfSuitesOnEngines.suites = tests.map(({ path }) => path);
    return super.sort(tests);
  }
};
