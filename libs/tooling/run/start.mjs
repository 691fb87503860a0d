// `npm start`: installs and compiles what changed, then runs the standalone process and ends with its exit code.
import { installIfNeeded } from './install.mjs';
import { buildIfNeeded } from './build.mjs';
import { startStandalone } from './start-standalone.mjs';

installIfNeeded();
const status = await buildIfNeeded();
if (status !== 0) process.exit(status);
const child = startStandalone();
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
