// Installs what pnpm-lock.yaml names, through `npx pnpm`, so that a machine needs neither pnpm nor corepack.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
/** The version of pnpm, as an argument of `npx`. */
export const pnpm = 'pnpm@10';
const stamp = `${root}/node_modules/.assay-installed`;

/** Does nothing when the last install was made from the same lock file. */
export function installIfNeeded() {
  const wanted = createHash('sha256')
    .update(readFileSync(`${root}/pnpm-lock.yaml`))
    .update(process.version)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const args = ['--yes', pnpm, 'install', '--frozen-lockfile', '--prefer-offline'];
  const { status } = spawnSync('npx', args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, wanted);
}
