import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from './repository.js';

/** What `npm start` reads of a clone. */
const PARTS = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tsconfig.build.json',
  'libs',
  'services',
  'deploy/standalone',
];
const CHDB = /^chdb@/;

/**
 * Copies the sources of the repository to a folder, as a clone on which the first `npm start` has installed the packages and compiled nothing.
 * The packages are those of this repository, so that nothing is downloaded.
 * @param hidesEngine whether the native library of chDB is absent from the packages and from the lock file, as on a platform for which it was
 * published later
 */
export function makeInstalledClone(folder: string, { hidesEngine = false } = {}): void {
  copySources(folder, PARTS);
  if (hidesEngine) forgetEngine(join(folder, 'pnpm-lock.yaml'));
  for (const group of ['libs', 'services', 'deploy'])
    for (const name of readdirSync(join(repository, group))) {
      const links = join(group, name, 'node_modules');
      if (existsSync(join(repository, links))) copyLinks(folder, links);
    }
  const store = join(folder, 'node_modules/.pnpm');
  mkdirSync(store, { recursive: true });
  for (const name of readdirSync(join(repository, 'node_modules/.pnpm'))) {
    const source = join(repository, 'node_modules/.pnpm', name);
    const filter = (path: string) => !path.includes('/node_modules/@chdb');
    if (CHDB.test(name))
      cpSync(source, join(store, name), { recursive: true, verbatimSymlinks: true, filter });
    // Packages that other ones find there without naming them: chDB would find its library.
    else if (!hidesEngine || name !== 'node_modules') symlinkSync(source, join(store, name));
  }
  for (const scope of ['@assay', '@swc', '@types']) copyLinks(folder, join('node_modules', scope));
  writeFileSync(join(folder, 'node_modules/.assay-installed'), `${installedHash(folder)} running`);
}

/** Copies files of the repository below these paths that git knows, or would with the next commit. */
export function copySources(folder: string, paths: readonly string[]): void {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const files = execFileSync('git', listing, { cwd: repository, encoding: 'utf8' }).split('\0');
  for (const path of files) {
    // A file that was removed and not committed is listed.
    if (path === '' || !existsSync(join(repository, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(repository, path), join(folder, path));
  }
}

function copyLinks(folder: string, path: string): void {
  cpSync(join(repository, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
}

/** Removes the entries of the library; chDB still names its version. */
function forgetEngine(lockFile: string): void {
  const entries = /\n {2}'@chdb\/lib-[^']+':\n(?: {4}.*\n)+/g;
  writeFileSync(lockFile, readFileSync(lockFile, 'utf8').replaceAll(entries, ''));
}

function installedHash(folder: string): string {
  const lock = readFileSync(join(folder, 'pnpm-lock.yaml'));
  return createHash('sha256').update(lock).update(process.version).digest('hex');
}
