// Compiles the workspace, but only when a source file is newer than the last build: a second start costs a walk
// over the source tree instead of a run of the compiler.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeApiIndex } from './api-index.mjs';
import { root } from './install.mjs';
import { writeCommit } from './write-commit.mjs';

const stamp = `${root}/node_modules/.assay-built`;
const skipped = new Set(['node_modules', 'dist', '.git', '.assay', 'coverage', 'reports', 'test']);

/** Resolves with the status of the compiler, which writes to the standard error. The generated sources are written before the first wait. */
export async function buildIfNeeded() {
  writeApiIndex();
  writeCommit();
  if (
    existsSync(stamp) &&
    existsSync(`${root}/deploy/standalone/dist`) &&
    newestChange() < statSync(stamp).mtimeMs
  )
    return 0;
  const startedAt = new Date();
  const tsc = `${root}/node_modules/typescript/bin/tsc`;
  const compiler = spawn(process.execPath, [tsc, '-b', '--pretty'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  const [code] = await once(compiler, 'close');
  const status = code ?? 1;
  if (status === 0) writeFileSync(stamp, startedAt.toISOString());
  return status;
}

function newestChange() {
  const folders = ['libs', 'services', 'deploy'].map((name) => join(root, name));
  return Math.max(...folders.map(newestIn), statSync(`${root}/tsconfig.json`).mtimeMs);
}

function newestIn(folder) {
  // A file that is removed changes nothing but its folder.
  let newest = folder.includes('/src') ? statSync(folder).mtimeMs : 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestIn(path) : sourceTime(path));
  }
  return newest;
}

function sourceTime(path) {
  return /\.(ts|json)$/.test(path) ? statSync(path).mtimeMs : 0;
}
