import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const SUFFIX = `.${process.pid}.rows`;
let made = 0;

/**
 * Hands bytes to the engine in files, because a statement holds text only. A file lives as long as its insert
 * and is never synced: what counts is what the engine has made of it.
 */
export class InsertFiles {
  readonly #dir: string;

  /** @throws when the folder below `dir` cannot be made */
  constructor(dir: string) {
    this.#dir = join(dir, 'inserts');
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    removeLeftOvers(this.#dir);
  }

  /**
   * Calls `use` with the path of a file that holds the parts, one behind the other.
   * @throws when they cannot be written, and what `use` throws
   */
  async acquire(parts: readonly Buffer[], use: (path: string) => Promise<unknown>): Promise<void> {
    const path = join(this.#dir, `${made++}${SUFFIX}`);
    try {
      await write(path, parts);
      await use(path);
    } finally {
      await rm(path, { force: true });
    }
  }
}

async function write(path: string, parts: readonly Buffer[]): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const { bytesWritten } = await file.writev([...parts]);
    if (bytesWritten !== parts.reduce((sum, { length }) => sum + length, 0))
      throw new Error('the rows of an insert could not be written whole');
  } finally {
    await file.close();
  }
}

/** Of a process that was killed; a folder belongs to one process at a time. */
function removeLeftOvers(dir: string): void {
  for (const name of readdirSync(dir)) if (!name.endsWith(SUFFIX)) rmSync(join(dir, name), { force: true });
}
