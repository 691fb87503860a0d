import { join } from 'node:path';
import { repository } from '../stack/repository.js';

const HOOK = join(repository, 'libs/tooling/run/typescript-hook.cjs');

/** Arguments for `node` to run a program of `test/` from its TypeScript source, such as `overload/load-process.ts`. */
export function testProgram(path: string): { readonly execArgv: string[]; readonly file: string } {
  return { execArgv: ['-r', HOOK], file: join(repository, 'test', path) };
}

/** The same as one list: flags, then the program. */
export function testProgramArgs(path: string): string[] {
  const { execArgv, file } = testProgram(path);
  return [...execArgv, file];
}
