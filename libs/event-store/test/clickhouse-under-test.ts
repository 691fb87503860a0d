import { ClickHouseEngine } from '../src/clickhouse/clickhouse-engine.js';
import { createClickHouseEventStore } from '../src/clickhouse/create-clickhouse-event-store.js';
import { DEFAULT_QUERY_LIMITS } from '../src/sql/engine/engine.js';
import type { EngineUnderTest } from './engine-fixture.js';

/** The server at a URL, for the contract of the event store. */
export function clickHouseUnderTest(url: string): EngineUnderTest {
  return {
    open: (database, limits, media = { storeMediaOnce: true }) =>
      createClickHouseEventStore({ url, database, limits, ...media }),
    engine: () =>
      new ClickHouseEngine({
        url,
        requestTimeoutMs: 30_000,
        maxConnections: 2,
        maxQueryConnections: 2,
        limits: DEFAULT_QUERY_LIMITS,
        replicated: false,
      }),
    forChild: { create: 'createClickHouseEventStore', options: { url } },
  };
}
