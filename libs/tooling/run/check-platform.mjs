// `npm start` runs this first, as a command of its own: the command after it needs a POSIX shell, and Windows gets its sentence from here.
// With `--engine` it also looks for the library of the event store, and exits with 78 where no registry has it.
import { requireServedEngine } from './engine-package.mjs';
import { root } from './install.mjs';
import { requirePlatform } from './platform.mjs';
import { orRefuse } from './steps.mjs';

await orRefuse(async () => {
  const name = requirePlatform(`${root}/package.json`);
  if (process.argv.includes('--engine')) await requireServedEngine(root, name);
});
