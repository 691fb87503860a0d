// Writes the commit of the sources beside the compiled code, where `GET /version` and `assay --version` read it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** Packages that report the commit. */
const readers = ['libs/http', 'services/cli'];
const COMMIT = /^[0-9a-f]{7,64}$/;

/** The commit is `COMMIT` of the environment, for builds without the repository's history, or the one that git reports. */
export function writeCommit() {
  const commit = commitOf(process.env.COMMIT) ?? commitOf(askGit()) ?? null;
  const text = `${JSON.stringify({ commit })}\n`;
  for (const name of readers) {
    const folder = join(root, name, 'dist');
    const file = join(folder, 'commit.json');
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
}

function commitOf(text) {
  return COMMIT.test(text ?? '') ? text : undefined;
}

/** Only the repository of these sources: they may be in a folder of another one. */
function askGit() {
  if (!existsSync(join(root, '.git'))) return undefined;
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
