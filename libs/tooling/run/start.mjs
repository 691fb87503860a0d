// `npm start`: installs what running needs, writes the JavaScript of what changed, then runs the standalone process and ends with its exit code.
import { buildIfNeeded } from './build.mjs';
import { installWithEngine } from './install-engine.mjs';
import { endWith, startStandalone } from './start-standalone.mjs';
import { orRefuse } from './steps.mjs';

const status = await orRefuse(async () => {
  await installWithEngine({ running: true });
  return buildIfNeeded({ check: false });
});
if (status !== 0) process.exit(status);
endWith(startStandalone());
