// Builds the console when a source of it is newer than its last build, in a process of its own beside the compiler.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

export const consoleFolder = `${root}/services/console`;
const stamp = `${root}/node_modules/.assay-console-built`;
const SOURCE = /\.(?:tsx?|css|html|json|mjs|svg)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'test']);

/** Resolves with the status of the build, and what it wrote. */
export async function buildConsoleIfNeeded(onStart) {
  if (isConsoleBuilt()) return { status: 0, output: '' };
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  const built = spawnBuild(['ignore', 'pipe', 'pipe']);
  let output = '';
  for (const stream of [built.stdout, built.stderr]) stream.on('data', (chunk) => (output += chunk));
  if (built.pid !== undefined) onStart?.(built.pid);
  const [status] = await once(built, 'close').catch((error) => [((output += error.message), 1)]);
  if (status !== 0) return { status: status ?? 1, output };
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
  return { status: 0, output };
}

/** Builds again after each change. `onBuilt` is called after each build. */
export function watchConsole(onBuilt) {
  const watcher = spawnBuild(['ignore', 'pipe', 'inherit'], '--watch');
  watcher.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    if (String(chunk).includes('Built the console')) onBuilt();
  });
  return watcher;
}

/** Whether no source is newer than the last build. */
export function isConsoleBuilt() {
  if (!existsSync(stamp) || !existsSync(`${consoleFolder}/dist/index.html`)) return false;
  const newest = Math.max(newestIn(consoleFolder), newestIn(`${root}/libs/domain/src`));
  return newest < statSync(stamp).mtimeMs;
}

function spawnBuild(stdio, ...args) {
  const env = { ...process.env, NODE_ENV: 'production' };
  return spawn(process.execPath, ['build.mjs', ...args], { cwd: consoleFolder, stdio, env });
}

function newestIn(folder) {
  // A file that is removed changes nothing but its folder.
  let newest = folder.includes('/src') ? statSync(folder).mtimeMs : 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) newest = Math.max(newest, newestIn(path));
    else if (SOURCE.test(entry.name)) newest = Math.max(newest, statSync(path).mtimeMs);
  }
  return newest;
}
