// Installs pnpm in one version with one SHA-512, which npm compares before it unpacks the package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PINNED = /^pnpm@(\d+\.\d+\.\d+)\+sha512\.([0-9a-f]{128})$/;

/**
 * Returns the path of pnpm's program for Node. The first call downloads it from the registry that npm is configured with.
 * @param pin `pnpm@<version>+sha512.<hexadecimal digest of the package>`, as `packageManager` of package.json spells it
 * @param cache folder that keeps it
 * @throws Error when the pin has no hash, or when the package is not the one of the hash
 */
export function pinnedPnpm(pin, cache = join(homedir(), '.cache', 'assay-engines')) {
  const [, version, sha512] = PINNED.exec(pin ?? '') ?? [];
  if (version === undefined) throw new Error('packageManager must be pnpm@<version>+sha512.<hash>');
  const folder = join(cache, `pnpm-${version}-${sha512.slice(0, 16)}`);
  if (!existsSync(folder)) install({ version, sha512 }, folder, cache);
  return join(folder, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
}

/** Installs into a new folder and renames it, so that an install that was interrupted is not used. */
function install({ version, sha512 }, folder, cache) {
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'pnpm-'));
  const dependencies = { pnpm: version };
  const locked = { version, integrity: `sha512-${Buffer.from(sha512, 'hex').toString('base64')}` };
  const packages = { '': { dependencies }, 'node_modules/pnpm': locked };
  writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(join(unfinished, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const { status } = spawnSync('npm', ['ci', ...options], { cwd: unfinished, stdio: ['ignore', 2, 2] });
  if (status === 0) renameOnce(unfinished, folder);
  rmSync(unfinished, { recursive: true, force: true });
  if (status !== 0) throw new Error(`pnpm ${version} could not be installed: npm ci failed`);
}

/** Another process may have installed the same version in the meantime. */
function renameOnce(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
