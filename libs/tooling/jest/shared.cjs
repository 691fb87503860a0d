const path = require('node:path');
module.exports = {
  rootDir: path.resolve(__dirname, '../../..'),
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/.*\\.test\\.'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  testTimeout: 60_000,
  maxWorkers: 2,
  // Native engines (LMDB, SQLite, chDB) hold process-wide state: a worker is renewed before it grows over this.
  workerIdleMemoryLimit: '1500MB',
};
