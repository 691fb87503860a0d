// Packages that npm installs one at a time, outside of the workspace, into the cache folder of Assay's tools.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npm, runChild } from './run-child.mjs';

export const CACHE = join(homedir(), '.cache', 'assay-engines');
const UNFINISHED = 'unfinished-';
/** No install takes that long. */
const ABANDONED_MS = 24 * 3_600_000;
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--no-update-notifier'];

/** npm could not install a package. `code` is npm's, such as `E404`. */
export class InstallError extends Error {
  constructor(title, output) {
    const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1];
    // Lines before the reason repeat parts of it, those after it are its stack.
    const reason = /^npm (?:error|ERR!) (?!code|errno|syscall|path)(\S.*)/m.exec(output)?.[1] ?? 'npm failed';
    super(`${title} could not be installed: ${code === undefined ? '' : `${code}, `}${reason}`);
    this.code = code;
  }
}

/** Whether {@link cachedPackage} has nothing to download. */
export function isCached(name, cache = CACHE) {
  return existsSync(join(cache, name));
}

/**
 * Returns a folder of the cache whose `node_modules` has the package. Installs into a new folder and renames it, so that an install that was
 * interrupted is not used.
 * @param name of the folder
 * @param files of the folder that `npm` reads, by their names
 * @param command of npm and its options
 * @throws InstallError
 */
export async function cachedPackage({ name, title, files, command, cache = CACHE, onStart }) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removeAbandoned(cache);
  const unfinished = mkdtempSync(join(cache, UNFINISHED));
  try {
    for (const [file, content] of Object.entries(files))
      writeFileSync(join(unfinished, file), JSON.stringify(content));
    const { status, output } = await runChild(npm(...command, ...OPTIONS), { cwd: unfinished, onStart });
    if (status !== 0) throw new InstallError(title, output);
    renameOnce(unfinished, folder);
    return folder;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Removes what installs have left that were killed. */
function removeAbandoned(cache) {
  for (const name of readdirSync(cache).filter((one) => one.startsWith(UNFINISHED))) {
    const { mtimeMs } = statSync(join(cache, name), { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - ABANDONED_MS) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

/** Another process may have installed the same version in the meantime. */
function renameOnce(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
