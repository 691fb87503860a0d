import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEW_YEAR, newProject, writeEvents } from '../../test/event-fixture.js';
import { newSession } from '../../test/session-fixture.js';
import type { SessionPosition } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS, type Query } from '../sql/engine/engine.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';

const HOUR = 3_600_000;
const SESSIONS = 16_384;
const SESSIONS_PER_HOUR = 256;
const PARTS = 4;
/** Rows per mark of the narrow table. */
const MARK = 1_024;
const LIMIT = 50;

class CountingEngine extends ChdbEngine {
  statements = 0;

  override queryForClient<Row>(query: Query, signal: AbortSignal): Promise<Row[]> {
    this.statements++;
    return super.queryForClient<Row>(query, signal);
  }

  /** Returns how many rows all statements have read so far. */
  async rowsRead(): Promise<number> {
    const sql = `SELECT sum(value) AS value FROM system.events WHERE event = 'SelectedRows'`;
    const [row] = await this.query<{ value: number }>({ sql, bindings: {} });
    return row?.value ?? 0;
  }
}

describe('the rows that a page of sessions reads', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-session-pages-'));
  const engine = new CountingEngine({ dir, readers: 1, queries: 1, limits: DEFAULT_QUERY_LIMITS });
  const store = new SqlEventStore(
    engine,
    { database: 'pages' },
    { limits: DEFAULT_QUERY_LIMITS, shares: { concurrency: 1, perProject: 1, maxWaiting: 2 }, settleMs: 0 },
  );
  const projectId = newProject();
  const sessions = Array.from({ length: SESSIONS }, (_, index) => {
    const start_time = NEW_YEAR + Math.floor(index / SESSIONS_PER_HOUR) * HOUR + (index % SESSIONS_PER_HOUR);
    return newSession(projectId, { start_time });
  });

  beforeAll(async () => {
    await store.administration.migrate();
    for (const table of ['events', 'event_payloads'])
      await engine.command(`SYSTEM STOP MERGES pages.${table}`);
    const size = SESSIONS / PARTS;
    for (let part = 0; part < PARTS; part++)
      await writeEvents(store, sessions.slice(part * size, (part + 1) * size), 1 + part * size);
  });
  afterAll(async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  it.each([
    ['the first page', undefined],
    ['a page in the middle', sessions[SESSIONS / 2]],
    ['one of the last pages', sessions[2 * LIMIT]],
  ])('do not grow with the sessions before and after it: %s', async (_title, session) => {
    const after: SessionPosition | undefined = session && {
      startTime: session.start_time,
      sessionId: session.session_id,
    };
    const [before, statements] = [await engine.rowsRead(), engine.statements];
    const page = await store.sessions.list(projectId, { limit: LIMIT, after });
    const read = (await engine.rowsRead()) - before;
    expect(page).toHaveLength(LIMIT);
    expect(engine.statements - statements).toBe(1);
    expect(read).toBeGreaterThan(LIMIT);
    expect(read).toBeLessThan(PARTS * 2 * MARK);
  });
});
