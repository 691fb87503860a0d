import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Session, drainPending } from 'chdb';
import type { Statement } from './read-statement.js';

/** A user with the profile `readonly`, as in the server's example of users. All others have all rights. */
export const READ_ONLY_USER = 'readonly';

/** Concurrent statements; further ones wait. */
const MAX_CONCURRENT = 8;

/**
 * Runs each statement in a session of its own, as the server does: settings and parameters apply to one request.
 */
export class EngineSessions {
  readonly #dir: string;
  /** Keeps the engine open between requests. */
  readonly #keeper: Session;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  private constructor(dir: string) {
    this.#dir = dir;
    this.#keeper = new Session(dir);
  }

  static async open(dir: string): Promise<EngineSessions> {
    const sessions = new EngineSessions(dir);
    await sessions.#keeper.queryAsync('SELECT 1');
    return sessions;
  }

  /** Returns the bytes of the result. @throws the engine's error */
  async run(statement: Statement): Promise<Uint8Array> {
    while (this.#running >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    const session = new Session(this.#dir);
    try {
      for (const prelude of preludes(statement)) await session.queryAsync(prelude);
      return statement.data === undefined
        ? (await session.queryAsync(statement.sql, { format: statement.defaultFormat })).bytes()
        : await this.#insert(session, statement.sql, statement.data);
    } finally {
      session.close();
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** The library accepts only text in a statement, so binary data goes through a file. */
  async #insert(session: Session, sql: string, data: Buffer): Promise<Uint8Array> {
    const path = join(this.#dir, `${randomUUID()}.insert`);
    await writeFile(path, data);
    try {
      const statement = sql.replace(/(?= SETTINGS | FORMAT RowBinary$)/, ` FROM INFILE ${quoted(path, "'")}`);
      return (await session.queryAsync(statement)).bytes();
    } finally {
      await rm(path);
    }
  }

  async close(): Promise<void> {
    this.#keeper.close();
    await drainPending();
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
