// Installs pnpm in one version with one SHA-512, which npm compares before it unpacks the package.
import { join } from 'node:path';
import { CACHE, cachedPackage, isCached } from './cached-package.mjs';

const PINNED = /^pnpm@(\d+\.\d+\.\d+)\+sha512\.([0-9a-f]{128})$/;

/** Whether the next call of {@link pinnedPnpm} has nothing to download. */
export function hasPinnedPnpm(pin, cache = CACHE) {
  return isCached(folderOf(parse(pin)), cache);
}

/**
 * Returns the path of pnpm's program for Node. The first call downloads it from the registry that npm is configured with.
 * @param pin `pnpm@<version>+sha512.<hexadecimal digest of the package>`, as `packageManager` of package.json spells it
 * @param cache folder that keeps it
 * @throws Error when the pin has no hash, or when the package is not the one of the hash
 */
export async function pinnedPnpm(pin, { cache = CACHE, onStart } = {}) {
  const { version, sha512 } = parse(pin);
  const dependencies = { pnpm: version };
  const locked = { version, integrity: `sha512-${Buffer.from(sha512, 'hex').toString('base64')}` };
  const packages = { '': { dependencies }, 'node_modules/pnpm': locked };
  const files = {
    'package.json': { private: true, dependencies },
    'package-lock.json': { lockfileVersion: 3, packages },
  };
  const name = folderOf({ version, sha512 });
  const folder = await cachedPackage({
    name,
    title: `pnpm ${version}`,
    files,
    command: ['ci'],
    cache,
    onStart,
  });
  return join(folder, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
}

function parse(pin) {
  const [, version, sha512] = PINNED.exec(pin ?? '') ?? [];
  if (version === undefined) throw new Error('packageManager must be pnpm@<version>+sha512.<hash>');
  return { version, sha512 };
}

function folderOf({ version, sha512 }) {
  return `pnpm-${version}-${sha512.slice(0, 16)}`;
}
