// The native library of chDB for this platform. pnpm installs the packages of the lock file. A platform whose package was not published when the
// lock file was written gets exactly the version that chDB's manifest names from the registry, as soon as it has one.
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedPackage, InstallError, isCached } from './cached-package.mjs';
import { platformName, Refusal, refusePlatform } from './platform.mjs';
import { npm, runChild } from './run-child.mjs';
import { step } from './steps.mjs';

/** What npm reports for a package or a version that a registry does not have or does not give. */
const NOT_SERVED = new Set(['E401', 'E403', 'E404', 'ETARGET', 'ENOVERSIONS']);
/** One attempt: a registry that does not respond is reported while the user waits. */
const SOON = ['--fetch-retries=0', '--no-update-notifier'];

/**
 * Looks for the library before anything else is installed, so that a platform without one is refused in seconds.
 * @param name package of this platform
 */
export async function requireServedEngine(root, name, onStart) {
  const locked = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  if (locked.includes(`'${name}@`)) return;
  // All packages of the library have the version of the one that the lock file has.
  const [, version] = /^ {6}'@chdb\/lib-[^']+': (\S+)$/m.exec(locked) ?? [];
  if (version !== undefined && installedVersion(root, name) !== version)
    await download(root, name, version, onStart);
}

/** Whether the chDB that is installed finds the library in the version of its manifest. */
export function hasEngine(root, name) {
  return installedVersion(root, name) === engineVersion(root, name);
}

/** Makes the library available to the chDB that is installed. @throws Refusal */
export async function provideEngine(root, name, onStart) {
  if (hasEngine(root, name)) return;
  const wanted = engineVersion(root, name);
  const folder = await download(root, name, wanted, onStart);
  const link = join(root, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(join(folder, 'node_modules', name), link);
  if (!hasEngine(root, name))
    throw new Refusal(
      `chDB finds another version of ${name} than ${wanted}: remove node_modules and start again`,
    );
}

/** Returns the folder of the library that chDB would load, or undefined. */
export function engineFolder(root, name) {
  const chdb = chdbFolder(root);
  for (const modules of chdb ? createRequire(join(chdb, 'package.json')).resolve.paths(name) : []) {
    const folder = join(modules, name);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return undefined;
}

/** Returns the folder of the cache that has the package. Asks the registry first, so that a refusal is one sentence. */
async function download(root, name, version, onStart) {
  const folder = `${name.replace('/', '-').slice(1)}-${version}`;
  const title = `${name} ${version}`;
  const dependencies = { [name]: version };
  const integrity = lockedHash(root, `${name}@${version}`);
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version, integrity } };
  const lock = { 'package-lock.json': { lockfileVersion: 3, packages } };
  const install = () =>
    cachedPackage({
      ...{ name: folder, title, onStart },
      files: { 'package.json': { private: true, dependencies }, ...(integrity && lock) },
      command: [...(integrity ? ['ci'] : ['install', '--no-package-lock']), ...SOON],
    });
  if (isCached(folder)) return install();
  try {
    await requireServed(root, name, version);
    return await step(`Installing ${name}`, install);
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    if (NOT_SERVED.has(error.code))
      throw refusePlatform(platformName(), `the registry has no ${name} in version ${version}`);
    throw new Refusal(error.message);
  }
}

/** @throws InstallError */
async function requireServed(root, name, version) {
  const command = npm('view', `${name}@${version}`, 'version', ...SOON);
  const { status, output } = await runChild(command, { cwd: root });
  if (status !== 0) throw new InstallError(`${name} ${version}`, output);
}

/** The hash of a package in the lock file. A package that was published after it has none: npm compares the one of the registry. */
function lockedHash(root, id) {
  const lock = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  const [, rest = ''] = lock.split(`\n  '${id}':\n    resolution: {integrity: `);
  return /^[^\s,}]+/.exec(rest)?.[0];
}

function engineVersion(root, name) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(chdbFolder(root), 'package.json'), 'utf8'));
  return optionalDependencies[name];
}

function installedVersion(root, name) {
  const folder = engineFolder(root, name);
  return folder && JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}

function chdbFolder(root) {
  const folder = join(root, 'libs/event-store/node_modules/chdb');
  return existsSync(folder) ? realpathSync(folder) : undefined;
}
