import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';

/**
 * Returns a built worktree of a commit, in the folder of temporary files. The next comparison with the same commit uses it
 * again; comparing with another one removes it.
 */
export function buildCommit(ref: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`).trim();
  const folder = join(
    tmpdir(),
    `assay-bench-${createHash('sha256').update(repository).digest('hex').slice(0, 8)}`,
  );
  const root = join(folder, commit);
  for (const line of git('worktree', 'list', '--porcelain').split('\n')) {
    const path = line.replace('worktree ', '');
    if (line !== path && path.startsWith(folder) && path !== root) git('worktree', 'remove', '--force', path);
  }
  mkdirSync(folder, { recursive: true });
  if (!existsSync(root)) git('worktree', 'add', '--detach', root, commit);
  const { status } = spawnSync(process.execPath, ['libs/tooling/run/with-pnpm.mjs', 'build'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`the build of ${ref} failed`);
  return root;
}
