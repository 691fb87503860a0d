// The contract suites and the end-to-end tests on a real Kafka, ClickHouse over HTTP and MongoDB's protocol.
const shared = require('./shared.cjs');
module.exports = {
  ...shared,
  testMatch: ['**/*.engines.test.ts'],
  testSequencer: require.resolve('./engines-sequencer.cjs'),
  globalSetup: require.resolve('./engines-setup.cjs'),
  globalTeardown: require.resolve('./engines-teardown.cjs'),
  maxWorkers: 1,
};
