import { ChdbEngine } from '../src/chdb/chdb-engine.js';
import type { EventStore } from '../src/event-store.js';
import { DEFAULT_QUERY_LIMITS, type SqlEngine } from '../src/sql/engine/engine.js';
import { SqlEventStore } from '../src/sql/sql-event-store.js';
import { bound } from './engine-fixture.js';

export interface StoppingStore {
  readonly store: EventStore;
  /** From now on this many inserts are done, and those after them fail, as if the process had been killed; all are done with Infinity. */
  readonly stopAfter: (inserts: number) => void;
  /** Whether an insert has failed since. */
  readonly hasStopped: () => boolean;
}

/** A store whose writes can end between two inserts. It shares the tables of others over the same database. */
export function stoppingStore(engine: SqlEngine, database: string): StoppingStore {
  let left = Infinity;
  const stopping: SqlEngine = {
    ...bound(engine),
    insert: (insert) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed before an insert')) : engine.insert(insert);
    },
  };
  const shares = { concurrency: 1, perProject: 1, maxWaiting: 2 };
  const store = new SqlEventStore(
    stopping,
    { database },
    { limits: DEFAULT_QUERY_LIMITS, shares, settleMs: 0 },
  );
  return { store, stopAfter: (inserts) => (left = inserts), hasStopped: () => left < 0 };
}

/** Such a store over an empty folder; closing it closes the engine. */
export async function openStoppingStore(dir: string): Promise<StoppingStore> {
  const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
  const stopping = stoppingStore(engine, 'assay');
  await stopping.store.administration.migrate();
  return stopping;
}
