// Compiles the workspace, but only when a source file is newer than the last build: a second start costs a walk
// over the source tree instead of a run of the compiler.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeApiIndex } from './api-index.mjs';
import { buildConsoleIfNeeded, consoleFolder, isConsoleBuilt } from './console.mjs';
import { hasDevelopment, inTurn, root } from './install.mjs';
import { Refusal } from './platform.mjs';
import { step } from './steps.mjs';
import { stripTypes } from './strip-types.mjs';
import { writeCommit } from './write-commit.mjs';

const stamp = `${root}/node_modules/.assay-built`;
const skipped = new Set(['node_modules', 'dist', '.git', '.assay', 'coverage', 'reports', 'test']);

/**
 * Resolves with the status of the compiler, which writes to the standard error. The console is built beside it.
 * @param check false where nothing but running is wanted: a build whose types were not checked is good enough, as a product without
 * the console
 */
export async function buildIfNeeded({ check = true } = {}) {
  if (isBuilt(check) && isConsoleBuilt()) return 0;
  return inTurn(async (onStart) => {
    const needsConsole = !isConsoleBuilt();
    const ofConsole = buildConsoleIfNeeded(onStart);
    const status = await buildPackages(check, onStart);
    const consoleStatus = needsConsole ? await reportConsole(ofConsole) : 0;
    return status || (check ? consoleStatus : 0);
  });
}

/** The console is usually ready when the packages are; its line tells what a start waited for. */
async function reportConsole(build) {
  const { status, output } = await step('Building the console', () => build);
  if (status !== 0)
    process.stderr.write(
      `The console could not be built, the product runs without changes of it:\n${output}\n`,
    );
  return status;
}

async function buildPackages(check, onStart) {
  if (isBuilt(check)) return 0;
  const startedAt = new Date();
  const compiled = check || hasDevelopment();
  // A build that does not end leaves files of two states.
  rmSync(stamp, { force: true });
  const status = compiled ? await compile(onStart) : await step('Compiling', () => strip());
  if (status === 0) writeFileSync(stamp, `${startedAt.toISOString()}${compiled ? '' : ' unchecked'}`);
  if (status === 0) utimesSync(stamp, startedAt, startedAt);
  return status;
}

/** Writes the generated sources, and returns whether no other source is newer than the last build. */
function isBuilt(check) {
  writeApiIndex();
  writeCommit();
  if (!existsSync(stamp) || !existsSync(`${root}/deploy/standalone/dist`)) return false;
  if (check && readFileSync(stamp, 'utf8').endsWith(' unchecked')) return false;
  return newestChange() < statSync(stamp).mtimeMs;
}

async function compile(onStart) {
  const tsc = `${root}/node_modules/typescript-compiler/bin/tsc`;
  const compiler = spawn(process.execPath, [tsc, '-b', 'tsconfig.build.json', '--pretty'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  onStart(compiler.pid);
  const [code] = await once(compiler, 'close');
  return code ?? 1;
}

async function strip() {
  try {
    await stripTypes(root);
    return 0;
  } catch (error) {
    // The message of swc shows the place.
    throw error.code === 'GenericFailure' ? new Refusal(error.message.split('\n\nCaused by:')[0]) : error;
  }
}

function newestChange() {
  const folders = ['libs', 'services', 'deploy'].map((name) => join(root, name));
  return Math.max(...folders.map(newestIn), statSync(`${root}/tsconfig.build.json`).mtimeMs);
}

function newestIn(folder) {
  // A file that is removed changes nothing but its folder.
  let newest = folder.includes('/src') ? statSync(folder).mtimeMs : 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (skipped.has(entry.name) || path === consoleFolder) continue;
    newest = Math.max(newest, entry.isDirectory() ? newestIn(path) : sourceTime(path));
  }
  return newest;
}

function sourceTime(path) {
  return /\.(ts|json)$/.test(path) ? statSync(path).mtimeMs : 0;
}
