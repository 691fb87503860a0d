import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MUTATION = /^mutation_\d+\.txt$/;
const HEADER = 'format version: ';

/**
 * Removes records of mutations that were never written whole. On a full disk the engine leaves an empty one, and then no
 * later start attaches the table. Nothing is lost: what such a mutation was to remove is found and removed again.
 * Call it before the engine opens the folder.
 */
export function removeTornMutations(dir: string): void {
  for (const path of tables(join(dir, 'store')))
    for (const name of readdirSync(path)) {
      if (!MUTATION.test(name)) continue;
      const file = join(path, name);
      if (!readFileSync(file, 'utf8').startsWith(HEADER)) rmSync(file);
    }
}

/** Folders of tables: `store/<first letters of the id>/<id>`; none before the first start. */
function tables(store: string): string[] {
  return folders(store).flatMap((letters) => folders(letters));
}

function folders(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(dir, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
