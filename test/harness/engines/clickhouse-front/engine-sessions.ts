import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineLibrary } from './engine-library.js';
import { NodeLibrary } from './node-library.js';
import type { Statement } from './read-statement.js';

/** A user with the profile `readonly`, as in the server's example of users. All others have all rights. */
export const READ_ONLY_USER = 'readonly';

/** Runs each statement with settings and parameters of its own, as the server does. */
export class EngineSessions {
  readonly #dir: string;
  readonly #library: EngineLibrary;

  constructor(dir: string, library: EngineLibrary) {
    this.#dir = dir;
    this.#library = library;
  }

  /** Opens the folder with the engine that the product embeds, and with the configuration file of a server if there is one. */
  static async open(dir: string, config?: string): Promise<EngineSessions> {
    return new EngineSessions(dir, await NodeLibrary.open(dir, config));
  }

  /** Returns the bytes of the result. @throws the engine's error */
  async run(statement: Statement): Promise<Uint8Array> {
    const before = preludes(statement);
    const { sql, data, defaultFormat } = statement;
    return data === undefined
      ? this.#library.run({ before, sql, format: defaultFormat })
      : this.#insert(before, sql, data);
  }

  /** The library accepts only text in a statement, so binary data goes through a file. */
  async #insert(before: readonly string[], insert: string, data: Buffer): Promise<Uint8Array> {
    const path = join(this.#dir, `${randomUUID()}.insert`);
    await writeFile(path, data);
    try {
      const sql = insert.replace(/(?= SETTINGS | FORMAT RowBinary$)/, ` FROM INFILE ${quoted(path, "'")}`);
      return await this.#library.run({ before, sql });
    } finally {
      await rm(path);
    }
  }

  close(): Promise<void> {
    return this.#library.close();
  }
}

/** Characters of the values that one statement binds: the engine reads at most 256 KiB of a statement. */
const MAX_BOUND_TOGETHER = 100_000;

/**
 * Statements for what the server reads from the URL: database, parameters, and settings in one statement, because each takes the time of
 * a small query.
 */
function preludes({ user, database, settings, parameters }: Statement): string[] {
  const use = database === undefined ? [] : [`USE ${quoted(database, '`')}`];
  const profile = user === READ_ONLY_USER ? ['SET readonly = 1'] : [];
  const binds = [...parameters].map(([name, value]) => `param_${name} = ${quoted(value, "'")}`);
  const bound = binds.join(', ');
  const groups = bound.length > MAX_BOUND_TOGETHER ? binds : [bound];
  const applied = [...settings].map(([name, value]) => `${name} = ${quoted(value, "'")}`).join(', ');
  const sets = [...groups, applied].filter((set) => set !== '').map((set) => `SET ${set}`);
  return [...use, ...profile, ...sets];
}

function quoted(text: string, quote: string): string {
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}
