// Unit, contract, end-to-end and conformance tests on the embedded stores. `resilience` and `console` have the other tests that need no server.
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  globalSetup: require.resolve('./files-in-memory.cjs'),
  // Twice as many as cores: suites that start processes or readers wait for a third to two thirds of their time.
  maxWorkers: 4,
  testPathIgnorePatterns: [
    ...shared.testPathIgnorePatterns,
    '\\.engines\\.test\\.ts$',
    '<rootDir>/test/(chaos|console|overload)/',
  ],
};
