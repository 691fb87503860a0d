import type { EventStore } from '../src/event-store.js';
import type { QueryLimits, SqlEngine } from '../src/sql/engine/engine.js';

/** An engine whose stores the suite runs on. */
export interface EngineUnderTest {
  /** A store over a database of the engine. Two stores over one database see the same events. */
  open(database: string, limits?: QueryLimits): EventStore;
  /** The engine beneath such a store, for looking at its tables. */
  engine(): SqlEngine;
  /** What `write-until-killed.cjs` needs to open a store in a process of its own. */
  readonly forChild: {
    readonly create: 'createChdbEventStore' | 'createClickHouseEventStore';
    readonly options: object;
  };
}
