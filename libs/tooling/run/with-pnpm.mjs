// Runs one task of the repository on a machine that has nothing but Node: installs what the lock file names
// (unless that is done already), compiles, then runs the steps of the task and stops at the first one that fails.
// The checks of a task run concurrently with the build and with its steps.
import { installIfNeeded, root } from './install.mjs';
import { buildIfNeeded } from './build.mjs';
import { orRefuse } from './steps.mjs';
import { runInOrder, runWithChecks } from './run-steps.mjs';
import { withoutNetwork } from './without-network.mjs';

const [, , task, ...more] = process.argv;
const bin = (name, ...args) => [`${root}/node_modules/.bin/${name}`, args];
const node = (...args) => [process.execPath, args];
// These programs make many short-lived objects: with more room for new ones, the garbage collector copies fewer.
const roomy = (...args) => node('--max-semi-space-size=64', ...args);
const jest = (config) =>
  roomy('node_modules/jest/bin/jest.js', '--config', `libs/tooling/jest/${config}.config.cjs`, ...more);
const typescript = (program, ...args) =>
  node('-r', './libs/tooling/run/typescript-hook.cjs', program, ...args);

const typecheck = [
  'tsconfig.typecheck.json',
  'services/console/tsconfig.app.json',
  'services/console/tsconfig.json',
].map((project) => node('node_modules/typescript-compiler/bin/tsc', '-p', project, '--noEmit'));
/** Checks that read no compiled file. */
const lintSources = [
  bin('oxfmt', '--check', '--threads', '1'),
  bin('cspell', '--no-progress', '--no-summary', '--cache', '--cache-location', 'node_modules/.cache/cspell'),
  node('libs/tooling/run/check-prose.mjs'),
];
const lintCompiled = [
  bin('oxlint', '--threads', '1', '.'),
  node('libs/tooling/run/check-fences.mjs'),
  node('libs/tooling/run/api-index.mjs', '--check'),
];
const checkDocs = [node('libs/tooling/run/documents.mjs', '--check')];

const tasks = {
  build: [],
  typecheck,
  lint: [...lintCompiled, ...lintSources],
  format: [bin('oxfmt')],
  docs: [node('libs/tooling/run/documents.mjs')],
  test: {
    sourceChecks: lintSources,
    checks: [...typecheck, ...lintCompiled, ...checkDocs],
    steps: [jest('embedded')],
  },
  'test:unit': [jest('unit')],
  'test:resilience': [jest('resilience')],
  'test:chaos': [typescript('test/chaos/rounds.ts', ...more)],
  'test:engines': [jest('engines')],
  'test:console': [jest('console')],
  bench: [typescript('test/bench/run.ts', ...more)],
};

if (!(task in tasks)) {
  process.stderr.write(`unknown task ${task}; one of: ${Object.keys(tasks).join(', ')}\n`);
  process.exit(2);
}
await orRefuse(() => installIfNeeded());
const built = orRefuse(() => buildIfNeeded());
if (task === 'test') process.exit(await runWithChecks({ built, ...tasks.test }));
const installClient = typescript('test/instrumentations/packages/install-public-client.ts');
// A browser that asks another host for anything fails there, whatever its tests look at.
const steps = task === 'test:console' ? [installClient, ...tasks[task].map(withoutNetwork)] : tasks[task];
process.exit((await built) || (await runInOrder(steps)));
