import type { EventStore } from '../src/event-store.js';
import type { QueryLimits, SqlEngine } from '../src/sql/engine/engine.js';

/** How a store keeps large texts. */
export interface MediaOptions {
  readonly storeMediaOnce: boolean;
  readonly unusedMediaSeconds?: number;
}

/** An engine whose stores the suite runs on. */
export interface EngineUnderTest {
  /** A store over a database of the engine. Two stores over one database see the same events. It stores media once unless `media` says otherwise. */
  open(database: string, limits?: QueryLimits, media?: MediaOptions): EventStore;
  /** The engine of such a store, to inspect its tables. */
  engine(): SqlEngine;
  /** Arguments with which `write-until-killed.cjs` opens a store in a separate process. */
  readonly forChild: {
    readonly create: 'createChdbEventStore' | 'createClickHouseEventStore';
    readonly options: object;
  };
}

/** The methods of an engine, to replace some of them. */
export function bound(engine: SqlEngine): SqlEngine {
  return {
    command: (sql) => engine.command(sql),
    insert: (insert) => engine.insert(insert),
    query: (query) => engine.query(query),
    queryForClient: (query, signal) => engine.queryForClient(query, signal),
    bytesForClient: (query, signal) => engine.bytesForClient(query, signal),
    stream: (query, onTexts) => engine.stream(query, onTexts),
    close: () => engine.close(),
  };
}
