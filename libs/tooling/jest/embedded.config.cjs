// Everything that needs no server: unit, contract, end-to-end and conformance tests on the embedded stores.
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '\\.engines\\.test\\.ts$'],
};
