import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder that is filled once and then kept in the home folder, under a name made of the files that say what belongs in it. It is filled
 * at its final place, because a Python environment cannot be moved; one that was left half full is filled anew.
 *
 * @param name of the kind of content
 * @param sources files that decide the content
 * @param fill puts the content into an empty folder
 */
export async function cachedFolder(
  name: string,
  sources: readonly string[],
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  const folder = join(homedir(), '.cache', 'assay-engines', `${name}-${hash.digest('hex').slice(0, 16)}`);
  const full = join(folder, 'full');
  if (existsSync(full)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await fill(folder);
  writeFileSync(full, '');
  return folder;
}
