import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newProject, queryOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import type { Filter } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS } from '../sql/engine/engine.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';

const TEXT = 'the quick brown fox jumps over the lazy dog '.repeat(400);
const WORST: readonly Filter[] = Array.from({ length: 50 }, (_, index) => ({
  field: 'outputs.text',
  operator: 'not contains',
  type: 'string',
  value: `missing ${index}`,
}));

describe('the limits of a query', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-limits-'));
  // The engine itself would let a statement run for an hour.
  const engineLimits = { ...DEFAULT_QUERY_LIMITS, maxSeconds: 3_600, maxThreads: 1 };
  const engine = new ChdbEngine({ dir, readers: 1, queries: 1, limits: engineLimits });
  const store = new SqlEventStore(
    engine,
    { database: 'limits' },
    {
      // The statement of the test takes about a second.
      limits: { ...engineLimits, maxSeconds: 0.2 },
      shares: { concurrency: 1, perProject: 1, maxWaiting: 2 },
      settleMs: 0,
    },
  );
  const signal = new AbortController().signal;

  beforeAll(() => store.administration.migrate());
  afterAll(async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const running = async () =>
    (
      await engine.query<{ n: number }>({
        sql: `SELECT count() AS n FROM system.processes WHERE query LIKE '%event_payloads%' AND query NOT LIKE '%system.processes%'`,
        bindings: {},
      })
    )[0]?.n;

  it('are the settings of its connections', async () => {
    const names = ['max_threads', 'max_rows_to_read', 'max_bytes_to_read', 'max_execution_time'];
    const columns = names.map((name) => `toUInt64(getSetting('${name}')) AS ${name}`);
    const sql = `SELECT ${columns.join(', ')}`;
    expect(await engine.queryForClient({ sql, bindings: {} }, signal)).toStrictEqual([
      {
        max_threads: 1,
        max_rows_to_read: DEFAULT_QUERY_LIMITS.maxRowsToRead,
        max_bytes_to_read: DEFAULT_QUERY_LIMITS.maxBytesToRead,
        max_execution_time: 3_600,
      },
    ]);
  });

  it('cancel a statement on time, whatever the engine does, and free its only connection', async () => {
    const noisy = newProject();
    for (let written = 0; written < 2_000; written += 500) {
      const events = Array.from({ length: 500 }, (_, index) =>
        sampleEvent({ project_id: noisy, outputs: { text: `${written + index} ${TEXT}` } }),
      );
      await writeEvents(store, events);
    }
    const refused = store.events.search(noisy, queryOf({ filters: WORST, limit: 1 }));
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    // Waits for the connection: without the cancellation for the hour that the engine allows.
    const sql = 'SELECT 1 AS one';
    expect(await engine.queryForClient({ sql, bindings: {} }, signal)).toStrictEqual([{ one: 1 }]);
    expect(await running()).toBe(0);
  }, 90_000);
});
