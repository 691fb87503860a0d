// Runs one task of the repository on a machine that has nothing but Node: installs what the lock file names
// (unless that is done already), then runs the steps of the task and stops at the first one that fails.
import { spawnSync } from 'node:child_process';
import { installIfNeeded, root } from './install.mjs';
import { buildIfNeeded } from './build.mjs';

const bin = (name) => `${root}/node_modules/.bin/${name}`;
const jest = (config, ...more) => [
  process.execPath,
  [`${root}/node_modules/jest/bin/jest.js`, '--config', config, ...more],
];

const tasks = {
  build: [],
  lint: [
    [
      bin('eslint'),
      ['.', '--max-warnings', '0', '--cache', '--cache-location', 'node_modules/.cache/eslint/'],
    ],
    [bin('prettier'), ['--check', '--log-level', 'warn', '--cache', '.']],
    [process.execPath, ['libs/tooling/run/check-fences.mjs']],
    [process.execPath, ['libs/tooling/run/api-index.mjs', '--check']],
  ],
  typecheck: [[bin('tsc'), ['-p', 'tsconfig.tests.json', '--noEmit']]],
  documents: [[process.execPath, ['libs/tooling/run/documents.mjs', '--check']]],
  jest: [jest('libs/tooling/jest/embedded.config.cjs', ...process.argv.slice(3))],
  'test:engines': [jest('libs/tooling/jest/engines.config.cjs', ...process.argv.slice(3))],
  bench: [[process.execPath, ['test/dist/bench/run.js', ...process.argv.slice(3)]]],
};
tasks.test = [...tasks.typecheck, ...tasks.lint, ...tasks.documents, ...tasks.jest];

const task = process.argv[2];
if (!(task in tasks)) {
  process.stderr.write(`unknown task ${task}; one of: ${Object.keys(tasks).join(', ')}\n`);
  process.exit(2);
}
installIfNeeded();
buildIfNeeded();
for (const [command, args] of tasks[task]) {
  const env = { UV_THREADPOOL_SIZE: '8', ...process.env };
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
