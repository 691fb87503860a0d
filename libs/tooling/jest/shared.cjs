const path = require('node:path');
const { compilerOptions } = require('../run/typescript-hook.cjs');
module.exports = {
  rootDir: path.resolve(__dirname, '../../..'),
  testEnvironment: require.resolve('./environment.cjs'),
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/.*\\.test\\.'],
  resolver: require.resolve('./resolver.cjs'),
  transform: {
    '\\.ts$': ['@swc/jest', compilerOptions],
    // ES modules, which Node loads with `require` and jest does not.
    '/node_modules/hyparquet[^/]*/.*\\.js$': ['@swc/jest', compilerOptions],
  },
  // Compiled files need no transformation: jest would copy each to its cache, and read it from there for each test file that loads it.
  transformIgnorePatterns: ['/node_modules/(?!\\.pnpm/hyparquet|hyparquet)', '/dist/.*\\.js$'],
  runtime: require.resolve('./runtime.cjs'),
  setupFilesAfterEnv: [require.resolve('./end-processes.cjs')],
  testSequencer: require.resolve('./slowest-first.cjs'),
  // Only a broken product takes so long: tests run beside others, each with several processes, on two cores.
  testTimeout: 300_000,
  maxWorkers: 2,
  // Native engines (SQLite, chDB) hold process-wide state: a worker is renewed before it grows over this.
  workerIdleMemoryLimit: '1500MB',
  // A worker leaves nothing open, but its heap and its engines take more than the default of 500 ms to end on a busy machine.
  workerGracefulExitTimeout: 10_000,
};
