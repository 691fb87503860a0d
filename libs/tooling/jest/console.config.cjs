// The console in a real browser, on the single process.
const path = require('node:path');
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  roots: ['<rootDir>/test/console'],
  setupFilesAfterEnv: [
    ...shared.setupFilesAfterEnv,
    path.join(shared.rootDir, 'test/harness/console/gate-suite.ts'),
  ],
  // A browser and a product for each suite: more of them wait for each other.
  maxWorkers: 2,
};
