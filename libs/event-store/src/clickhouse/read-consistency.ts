import type { ClickHouseClient } from '@clickhouse/client';
import { literal } from '../sql/engine/engine.js';
import type { Settings } from './known-settings.js';

/**
 * With these every distributed table reads and writes the first replica of each shard that responds, whatever node runs the
 * statement.
 */
const FIRST_REPLICA: Settings = { load_balancing: 'in_order', prefer_localhost_replica: 0 };
/** Tables in shared storage have all writes when a statement asks for them. */
const ALL_WRITES: Settings = { select_sequential_consistency: 1 };

export interface ReadConsistencyOptions {
  readonly client: Pick<ClickHouseClient, 'query'>;
  readonly database: string;
  readonly replicated: boolean;
}

/**
 * Settings with which a read sees every write that was acknowledged before, on servers with several copies of the rows: the state of an
 * event that lacks the last update would be stored again without it.
 */
export class ReadConsistency {
  readonly #options: ReadConsistencyOptions;
  #settings: Settings | undefined;

  constructor(options: ReadConsistencyOptions) {
    this.#options = options;
  }

  /** Settings of inserts, which go where the reads go. */
  get ofInserts(): Settings {
    return this.#options.replicated ? FIRST_REPLICA : {};
  }

  /** The server is asked for the engine of the tables until there are some. @throws the client's error */
  async ofReads(): Promise<Settings> {
    if (this.#settings) return this.#settings;
    const { client, database, replicated } = this.#options;
    const query = `SELECT engine FROM system.tables WHERE database = ${literal(database)} AND name = 'events'`;
    const result = await client.query({ query, format: 'JSONEachRow' });
    const [table] = await result.json<{ engine: string }>();
    const settings = {
      ...(replicated && FIRST_REPLICA),
      ...(table?.engine.startsWith('Shared') && ALL_WRITES),
    };
    if (table) this.#settings = settings;
    return settings;
  }
}
