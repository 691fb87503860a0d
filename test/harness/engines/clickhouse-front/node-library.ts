import { Session, drainPending } from 'chdb';
import type { EngineLibrary, StatementGroup } from './engine-library.js';

/** Concurrent statements; further ones wait. */
const MAX_CONCURRENT = 8;

/** The engine that the product embeds. Each group runs in a session of its own, as on the server. */
export class NodeLibrary implements EngineLibrary {
  readonly #open: () => Session;
  /** Keeps the engine open between requests. */
  readonly #keeper: Session;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  private constructor(dir: string, config: string | undefined) {
    const connectionArgs = config === undefined ? [] : [`--config-file=${config}`];
    this.#open = () => new Session(dir, { connectionArgs });
    this.#keeper = this.#open();
  }

  static async open(dir: string, config?: string): Promise<NodeLibrary> {
    const library = new NodeLibrary(dir, config);
    await library.#keeper.queryAsync('SELECT 1');
    return library;
  }

  async run({ before, sql, format }: StatementGroup): Promise<Uint8Array> {
    while (this.#running >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    const session = this.#open();
    try {
      for (const statement of before) await session.queryAsync(statement);
      return (await session.queryAsync(sql, format === undefined ? {} : { format })).bytes();
    } finally {
      session.close();
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    this.#keeper.close();
    await drainPending();
  }
}
