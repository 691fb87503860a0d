import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@assay/errors';
import { newProject, NEW_YEAR, queryOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import { clientRunner, runForClient } from '../sql/client-query.js';
import { DEFAULT_QUERY_LIMITS, type QueryRunner } from '../sql/engine/engine.js';
import { QueryQueue } from '../sql/query-queue.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';

/** Runs until it is cancelled. */
const ENDLESS = 'SELECT count() AS n FROM system.numbers WHERE NOT ignore(number)';
/** Of each lane. */
const CONNECTIONS = 2;
const MEGABYTE = 1024 ** 2;
const LARGE_TEXT = 'a text of metadata '.repeat(MEGABYTE / 16);

describe('two statements of one query', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-concurrent-'));
  const limits = {
    ...DEFAULT_QUERY_LIMITS,
    maxSeconds: 3_600,
    maxRowsToRead: 0,
    maxBytesToRead: 0,
    maxMemoryBytes: 400 * MEGABYTE,
  };
  const engine = new ChdbEngine({ dir, readers: 1, queries: CONNECTIONS, limits });
  const { signal } = new AbortController();

  afterAll(async () => {
    await engine.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const run = (sql: string) => (runner: QueryRunner) => runner.query<{ n: number }>({ sql, bindings: {} });
  const running = async () =>
    (
      await engine.query<{ n: number }>({
        sql: `SELECT count() AS n FROM system.processes WHERE query LIKE '%system.numbers%' AND query NOT LIKE '%system.processes%'`,
        bindings: {},
      })
    )[0]?.n;

  const untilTwoRun = async () => {
    while ((await running()) !== 2) await new Promise((resolve) => setImmediate(resolve));
  };
  /** The engine lists a statement that failed until its connection has another one. */
  const runningOnAll = async () => {
    const ask = () => clientRunner(engine, signal).concurrently(run('SELECT 1 AS n'), run('SELECT 1 AS n'));
    await Promise.all(Array.from({ length: CONNECTIONS }, ask));
    return running();
  };

  it('return the rows of both', async () => {
    const runner = clientRunner(engine, signal);
    const rows = await runner.concurrently(run('SELECT 1 AS n'), run('SELECT 2 AS n'));
    expect(rows).toStrictEqual([[{ n: 1 }], [{ n: 2 }]]);
  });

  it.each<[title: string, main: string, side: string]>([
    ['the second', ENDLESS, `SELECT throwIf(1) AS n`],
    ['the first', `SELECT throwIf(1) AS n`, ENDLESS],
  ])('end when %s fails, with its failure', async (_title, main, side) => {
    const both = clientRunner(engine, signal).concurrently(run(main), run(side));
    await expect(both).rejects.toMatchObject({ details: { engineCode: 395 } });
    expect(await runningOnAll()).toBe(0);
  });

  it.each([
    ['JSON', false],
    ['bytes', true],
  ])('return nothing of a statement that failed before them, as %s', async (_title, isBinary) => {
    const failing = {
      sql: 'SELECT throwIf(number = 1000000) AS n FROM numbers(2000000)',
      bindings: {},
      isBinary,
    };
    const next = { sql: 'SELECT 1 AS n', bindings: {}, isBinary };
    for (let connection = 0; connection < CONNECTIONS; connection++) {
      await expect(engine.queryForClient(failing, signal)).rejects.toMatchObject({
        details: { engineCode: 395 },
      });
      expect(await engine.queryForClient(next, signal)).toEqual([{ n: 1 }]);
    }
    await expect(engine.query(failing)).rejects.toBeInstanceOf(AppError);
    const streamed: unknown[] = [];
    await engine.stream(next, (texts) => streamed.push(...texts));
    expect(streamed).toEqual(['1']);
    await expect(engine.query(failing)).rejects.toBeInstanceOf(AppError);
    expect(await engine.query(next)).toEqual([{ n: 1 }]);
  });

  it('both end when their caller leaves', async () => {
    const caller = new AbortController();
    const both = clientRunner(engine, caller.signal).concurrently(run(ENDLESS), run(ENDLESS));
    const outcome = expect(both).rejects.toBeInstanceOf(AppError);
    await untilTwoRun();
    caller.abort();
    await outcome;
    expect(await runningOnAll()).toBe(0);
  });

  it('leave a connection of each lane for another project', async () => {
    const queue = new QueryQueue({
      concurrency: CONNECTIONS,
      perProject: 1,
      maxWaiting: 8,
      timeoutMs: 3_600_000,
    });
    const caller = new AbortController();
    const ask = (projectId: string, sql: string, cancelled: AbortSignal) =>
      queue.run(
        projectId,
        (ended) => clientRunner(engine, ended).concurrently(run(sql), run(sql)),
        cancelled,
      );
    const noisy = Promise.allSettled([1, 2, 3].map(() => ask('noisy', ENDLESS, caller.signal)));
    await untilTwoRun();
    expect(await ask('quiet', 'SELECT 1 AS n', signal)).toStrictEqual([[{ n: 1 }], [{ n: 1 }]]);
    expect(await running()).toBe(2);
    caller.abort();
    expect((await noisy).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected', 'rejected']);
    // Both connections of the project are free again once the engine has cancelled the statements.
    expect(await ask('noisy', 'SELECT 1 AS n', signal)).toStrictEqual([[{ n: 1 }], [{ n: 1 }]]);
    expect(await runningOnAll()).toBe(0);
    queue.close();
  });

  it('leave a connection of each lane for a project beside two others that occupy the rest', async () => {
    const queue = new QueryQueue({ concurrency: 1, perProject: 1, maxWaiting: 8, timeoutMs: 3_600_000 });
    const [one, other] = [new AbortController(), new AbortController()];
    const ask = (projectId: string, sql: string, cancelled: AbortSignal) =>
      queue.run(
        projectId,
        runForClient(engine, (runner) => runner.concurrently(run(sql), run('SELECT 1 AS n'))),
        cancelled,
      );
    const first = ask('noisy', ENDLESS, one.signal);
    const second = ask('noisy too', ENDLESS, other.signal);
    const left = Promise.allSettled([first, second]);
    await untilTwoRun();
    // The second one is cancelled in the reserve, and runs again when the first one has ended.
    const quiet = ask('quiet', 'SELECT 1 AS n', signal);
    await expect(quiet).resolves.toStrictEqual([[{ n: 1 }], [{ n: 1 }]]);
    while (queue.load.running !== 1) await new Promise((resolve) => setImmediate(resolve));
    expect(queue.load.waiting).toBe(1);
    one.abort();
    await expect(first).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    while (queue.load.waiting > 0) await new Promise((resolve) => setImmediate(resolve));
    other.abort();
    await left;
    expect(await ask('quiet', 'SELECT 1 AS n', signal)).toStrictEqual([[{ n: 1 }], [{ n: 1 }]]);
    while ((await runningOnAll()) !== 0) await new Promise((resolve) => setImmediate(resolve));
    queue.close();
  });

  it('have ended before the failure of their query is reported', async () => {
    const query = runForClient(engine, (runner) =>
      Promise.all([run('SELECT throwIf(1) AS n')(runner), run(ENDLESS)(runner), run(ENDLESS)(runner.side)]),
    );
    await expect(query(signal)).rejects.toMatchObject({ details: { engineCode: 395 } });
    expect(await runningOnAll()).toBe(0);
  });

  it('have a quarter of the memory in the side lane', async () => {
    const large = run('SELECT length(groupArray(number)) AS n FROM numbers(10000000)');
    const runner = clientRunner(engine, signal);
    await expect(large(runner)).resolves.toStrictEqual([{ n: 10_000_000 }]);
    await expect(runner.concurrently(run('SELECT 1 AS n'), large)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { engineCode: 241 },
    });
  });

  it('read the rows of a newest page in the main lane when they need more memory than the side lane has', async () => {
    const store = new SqlEventStore(
      engine,
      { database: 'pages' },
      { limits, shares: { concurrency: CONNECTIONS, perProject: 1, maxWaiting: 2 }, settleMs: 0 },
    );
    await store.administration.migrate();
    const project_id = newProject();
    const events = Array.from({ length: 100 }, (_, index) =>
      sampleEvent({ project_id, start_time: NEW_YEAR + index, metadata: { text: LARGE_TEXT } }),
    );
    await writeEvents(store, events);
    await store.administration.repair();
    const statements = jest.spyOn(engine, 'queryForClient');
    const page = await store.events.search(project_id, queryOf({ limit: 100 }));
    const ended = await Promise.allSettled(statements.mock.results.map(({ value }) => value as unknown));
    const failed = statements.mock.calls.filter((_, index) => ended[index]?.status === 'rejected');
    expect(failed.map(([, , lane]) => lane)).toStrictEqual(['side']);
    expect(page.events.map(({ event_id: id }) => id)).toStrictEqual(
      events.map(({ event_id: id }) => id).reverse(),
    );
    expect(page.total).toBe(100);
  });
});
