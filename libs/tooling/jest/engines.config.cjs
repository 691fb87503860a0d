// The contract suites and the end-to-end tests on a real Kafka, ClickHouse over HTTP and MongoDB's protocol.
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  testMatch: ['**/*.engines.test.ts'],
  globalSetup: '<rootDir>/test/dist/harness/engines/jest-setup.js',
  globalTeardown: '<rootDir>/test/dist/harness/engines/jest-teardown.js',
  maxWorkers: 1,
};
