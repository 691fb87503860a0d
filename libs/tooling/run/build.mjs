// Compiles the workspace, but only when a source file is newer than the last build: a second start costs a walk
// over the source tree instead of a run of the compiler.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeApiIndex } from './api-index.mjs';
import { root } from './install.mjs';

const stamp = `${root}/node_modules/.assay-built`;
const skipped = new Set(['node_modules', 'dist', '.git', '.assay', 'coverage', 'reports', 'test']);

export function buildIfNeeded() {
  writeApiIndex();
  if (
    existsSync(stamp) &&
    existsSync(`${root}/deploy/standalone/dist`) &&
    newestChange() < statSync(stamp).mtimeMs
  )
    return;
  const startedAt = new Date();
  const tsc = `${root}/node_modules/typescript/bin/tsc`;
  const { status } = spawnSync(process.execPath, [tsc, '-b', '--pretty'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, startedAt.toISOString());
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
