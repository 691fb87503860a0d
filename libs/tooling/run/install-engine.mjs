// Installs what the single process needs: packages, and the native library of its event store. A platform without one is refused first.
import { hasEngine, provideEngine, requireServedEngine } from './engine-package.mjs';
import { inTurn, installIfNeeded, root } from './install.mjs';
import { requirePlatform } from './platform.mjs';

/** @param options those of installIfNeeded. @throws Refusal */
export async function installWithEngine(options) {
  const name = requirePlatform(`${root}/package.json`);
  await requireServedEngine(root, name);
  await installIfNeeded(options);
  if (hasEngine(root, name)) return;
  await inTurn((onStart) => provideEngine(root, name, onStart));
}
