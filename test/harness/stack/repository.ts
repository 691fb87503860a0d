import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Root of the repository: the nearest folder above that holds the workspace file. Works from sources and from `dist`. */
export const repository = rootAbove(__dirname);

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return folder;
  if (dirname(folder) === folder) throw new Error('the harness does not lie in the workspace');
  return rootAbove(dirname(folder));
}
