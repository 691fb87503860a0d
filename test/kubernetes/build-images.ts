import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../harness/stack/repository.js';
import { IMAGE_USER } from './container.js';

const run = promisify(execFile);
const DOCKERFILE = 'deploy/docker/Dockerfile';
const STEPS =
  /^FROM \S+ AS build\n#.*\nARG COMMIT\nWORKDIR \/build\nCOPY \. \.\nRUN (.+) \/out(?: [a-z-]+)+\n\n/m;

/**
 * Runs the stage `build` of the Dockerfile without a container engine, in the new folder `build` of `work` and as a user without rights.
 * Writes the folder of each program to `out` there.
 * @throws Error with the output of the step that fails, or when the stage has other steps
 */
export async function buildImages(work: string, programs: readonly string[]): Promise<void> {
  const [, command = ''] = STEPS.exec(readFileSync(join(repository, DOCKERFILE), 'utf8')) ?? [];
  if (!command) throw new Error(`the stage build of ${DOCKERFILE} has steps that this test does not run`);
  const [build, out, home] = ['build', 'out', 'home'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  await copyContext(build);
  const asRoot = process.getuid?.() === 0;
  for (const folder of [out, home]) mkdirSync(folder);
  if (asRoot) {
    chmodSync(work, 0o755);
    for (const folder of [out, home]) chownSync(folder, IMAGE_USER, IMAGE_USER);
    await run('chown', ['--recursive', `${IMAGE_USER}:${IMAGE_USER}`, build]);
  }
  const identity = [`--reuid=${IMAGE_USER}`, `--regid=${IMAGE_USER}`, '--clear-groups', '--no-new-privs'];
  const [program = 'sh', ...args] = [
    ...(asRoot ? ['setpriv', ...identity] : []),
    ...['sh', '-c', `${command} "$@"`, 'sh', out, ...programs],
  ];
  // `npm run` names the cache and the settings of its own user.
  const {
    NODE_PATH: _,
    npm_config_cache: _cache,
    npm_config_userconfig: _settings,
    ...environment
  } = process.env;
  const options = { cwd: build, env: { ...environment, HOME: home }, maxBuffer: 64 << 20 };
  await run(program, args, options);
}

/** Copies what `COPY . .` copies: the files of the repository without those of `Dockerfile.dockerignore`. */
async function copyContext(folder: string): Promise<void> {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', listing, { cwd: repository, maxBuffer: 16 << 20 });
  const isExcluded = readIgnoreFile(join(repository, `${DOCKERFILE}.dockerignore`));
  for (const path of stdout.split('\0')) {
    // A file that was removed and not committed is listed.
    if (path === '' || isExcluded(path) || !existsSync(join(repository, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(repository, path), join(folder, path));
  }
}

/** The last pattern that matches a path or a folder of it decides. */
function readIgnoreFile(file: string): (path: string) => boolean {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const patterns = lines.map((line) => {
    const excludes = !line.startsWith('!');
    const source = line
      .slice(excludes ? 0 : 1)
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'));
    return { excludes, pattern: new RegExp(`^${source}(?:/|$)`) };
  });
  return (path) => patterns.findLast(({ pattern }) => pattern.test(path))?.excludes ?? false;
}
