// The console in a real browser, on the single process.
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  roots: ['<rootDir>/test/console'],
  // A browser and a product for each suite: more of them wait for each other.
  maxWorkers: 2,
};
