// `npm start`: installs what running needs, writes the JavaScript of what changed, then runs the standalone process and ends with its exit code.
import { buildIfNeeded } from './build.mjs';
import { installWithEngine } from './install-engine.mjs';
import { startStandalone } from './start-standalone.mjs';
import { orRefuse } from './steps.mjs';

await orRefuse(() => installWithEngine({ running: true }));
const status = await buildIfNeeded({ check: false });
if (status !== 0) process.exit(status);
const child = startStandalone();
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
