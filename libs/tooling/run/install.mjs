// Installs what pnpm-lock.yaml names, with the pnpm that `packageManager` of package.json names, so that a machine needs neither
// pnpm nor corepack.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { pinnedPnpm } from './pinned-pnpm.mjs';

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const stamp = `${root}/node_modules/.assay-installed`;

/** Does nothing when the last install was made from the same lock file. */
export function installIfNeeded() {
  const wanted = createHash('sha256')
    .update(readFileSync(`${root}/pnpm-lock.yaml`))
    .update(process.version)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const args = [pnpm(), 'install', '--frozen-lockfile', '--prefer-offline'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, wanted);
}

/** Returns the path of pnpm's program for Node. */
export function pnpm() {
  const { packageManager } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  try {
    return pinnedPnpm(packageManager);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
