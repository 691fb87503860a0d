// `npm run dev`: the standalone process, compiled and started again whenever a source file changes.
import { spawn } from 'node:child_process';
import { watchConsole } from './console.mjs';
import { root } from './install.mjs';
import { installWithEngine } from './install-engine.mjs';
import { startStandalone } from './start-standalone.mjs';
import { orRefuse } from './steps.mjs';

/** Printed by the compiler after each round; there is nothing to start after a round with errors. */
const COMPILED = /Found (\d+) errors?\./g;

await orRefuse(() => installWithEngine());
const compiler = spawn(
  process.execPath,
  [
    `${root}/node_modules/typescript-compiler/bin/tsc`,
    '-b',
    'tsconfig.build.json',
    '--watch',
    '--preserveWatchOutput',
  ],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
const ofConsole = watchConsole(() => {
  // The product reads the files of the console when it starts. The first build of the compiler starts it.
  if (running) restarts = restarts.then(restart);
});
let running;
let restarts = Promise.resolve();
compiler.stdout.on('data', (chunk) => {
  const text = chunk.toString();
  process.stdout.write(text);
  for (const [, errors] of text.matchAll(COMPILED)) if (errors === '0') restarts = restarts.then(restart);
});

async function restart() {
  await stop();
  running = startStandalone();
}

/** Ends the running process in order, so that the next one finds its data and port free. */
async function stop() {
  if (!running || running.exitCode !== null || running.signalCode !== null) return;
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGTERM');
  await ended;
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.once(signal, () => {
    compiler.kill(signal);
    ofConsole.kill(signal);
    void restarts.then(stop).then(() => process.exit(0));
  });
