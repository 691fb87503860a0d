// Unit, contract, end-to-end and conformance tests on the embedded stores. `resilience` has the other tests that need no server.
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  testPathIgnorePatterns: [
    ...shared.testPathIgnorePatterns,
    '\\.engines\\.test\\.ts$',
    '<rootDir>/test/(chaos|overload)/',
  ],
};
