// Unit, contract, end-to-end and conformance tests on the embedded stores. `resilience` has the other tests that need no server.
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  // One more than cores: an end-to-end test waits for a third of its time.
  maxWorkers: 3,
  testPathIgnorePatterns: [
    ...shared.testPathIgnorePatterns,
    '\\.engines\\.test\\.ts$',
    '<rootDir>/test/(chaos|overload)/',
  ],
};
