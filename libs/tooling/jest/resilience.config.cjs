// Kills, full disks, lost responses and more load than capacity, on the standalone process.
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  roots: ['<rootDir>/test/chaos', '<rootDir>/test/overload'],
  testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '\\.engines\\.test\\.ts$'],
};
