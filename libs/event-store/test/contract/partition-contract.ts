import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { Query, SqlEngine } from '../../src/sql/engine/engine.js';
import { migrate } from '../../src/sql/schema/migrate.js';
import { migrations } from '../../src/sql/schema/migrations.js';
import { bound, type EngineUnderTest } from '../engine-fixture.js';
import { NEW_YEAR, batchOf, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const MONTH = 31 * 86_400_000;
/** Version of the migration that replaces partitions by month. */
const BY_YEAR = 4;
/**
 * Numbers of statements that run before the process dies: before the new table, among the months, in the middle of
 * the new names, before the old table is emptied, and in the middle of the names and before the end of the second
 * table.
 */
const KILLED_AFTER = [2, 6, 9, 10, 19];

/** The partitions of the tables: few per insert, and converted from those of the first release. */
export function partitionContract(engineUnderTest: EngineUnderTest, prefix: string): void {
  let engine: SqlEngine;
  beforeAll(() => {
    engine = engineUnderTest.engine();
  });
  afterAll(() => engine.close());

  const count = async (sql: string) =>
    (await engine.query<{ n: number }>({ sql: `SELECT count() AS n FROM ${sql}`, bindings: {} }))[0]?.n;
  const partsOf = (database: string) =>
    count(`system.parts WHERE active AND database = '${database}' AND table IN ('events', 'event_payloads')`);

  it('are few for a request whose events start in 1,200 different months', async () => {
    const database = `${prefix}_months`;
    const store = engineUnderTest.open(database);
    await store.administration.migrate();
    const project_id = newProject();
    const events = Array.from({ length: 1_200 }, (_, month) =>
      sampleEvent({ project_id, event_id: randomUUID(), start_time: Date.UTC(2000, month, 15) }),
    );
    await writeEvents(store, events);
    const other = sampleEvent({ project_id: newProject() });
    await writeEvents(store, [other]);
    expect((await store.events.search(other.project_id, queryOf())).events).toStrictEqual([other]);
    expect(await partsOf(database)).toBeLessThanOrEqual(2 * (8 + 1));
    const lastYear = await store.events.search(project_id, queryOf({ from: Date.UTC(2099, 0, 1) }));
    expect(lastYear.events).toStrictEqual(events.slice(-12).reverse());
    await store.administration.close();
  });

  describe('of the first release', () => {
    it('are converted with all rows, versions and tombstones', async () => {
      const before = await openFirstRelease(`${prefix}_old`);
      const expected = await before.read();
      // With the one that lacks its payload.
      expect(expected.page.total).toBe(8);
      await before.store.administration.migrate();
      expect(await before.read()).toStrictEqual(expected);
      await expectConverted(before.database);
      await before.expectClosedLocations();
      await before.store.administration.close();
    });

    it('are repaired where a row and its payload are in different months', async () => {
      const { database, store, projectId } = await openFirstRelease(`${prefix}_apart`);
      const before = sampleEvent({ project_id: projectId, outputs: { answer: 'kept' } });
      const after = { ...before, start_time: before.start_time - MONTH };
      await writeEvents(store, [before], 30);
      await store.writer.write(batchOf({ rows: [rowOf(after, 40)] }));
      for (const [table, version] of [
        ['events', 30],
        ['event_payloads', 40],
      ])
        await engine.command(
          `ALTER TABLE ${database}.${table} DELETE WHERE event_id = '${before.event_id}' AND ver = ${version} SETTINGS mutations_sync = 2`,
        );
      await store.administration.migrate();
      expect((await store.administration.repair()).completed).toBe(1);
      expect(await store.events.find(projectId, before.event_id)).toStrictEqual(after);
      expect(await store.administration.rowsWithoutPayload(10)).toEqual([]);
      await store.administration.close();
    });

    it('are converted by a process that continues after kills at any step', async () => {
      await Promise.all(KILLED_AFTER.map(convertedAfterKill));
    }, 180_000);

    it('are unchanged when the disk has not enough free space for the copy', async () => {
      const before = await openFirstRelease(`${prefix}_full`);
      const expected = await before.read();
      const topology = { database: before.database };
      await expect(migrate(withFreeSpace(engine, 100), topology)).rejects.toThrow(
        /needs 1 MiB of free disk space and 0 MiB are free/,
      );
      expect(await count(`system.tables WHERE database = '${before.database}' AND name LIKE '%_by_%'`)).toBe(
        0,
      );
      await before.store.administration.migrate();
      expect(await before.read()).toStrictEqual(expected);
      await before.store.administration.close();
    });

    it('are converted once, also when an older process still writes', async () => {
      const before = await openFirstRelease(`${prefix}_late`);
      const expected = await before.read();
      const late = sampleEvent({ project_id: before.projectId, start_time: NEW_YEAR - 9 * MONTH });
      const writing: SqlEngine = {
        ...bound(engine),
        command: async (sql) => {
          if (sql.startsWith('RENAME TABLE') && sql.includes('.events TO'))
            await writeEvents(before.store, [late], 500);
          return engine.command(sql);
        },
      };
      await migrate(writing, { database: before.database });
      await before.store.administration.migrate();
      const { page } = await before.read();
      expect(page.total).toBe(expected.page.total + 1);
      await before.store.administration.repair();
      expect((await before.read()).page.events).toContainEqual(late);
      await expectConverted(before.database);
      await before.store.administration.close();
    });
  });

  async function convertedAfterKill(steps: number): Promise<void> {
    const before = await openFirstRelease(`${prefix}_kill${steps}`);
    const expected = await before.read();
    const topology = { database: before.database };
    await expect(migrate(failingAfter(engine, steps), topology)).rejects.toThrow('killed');
    await Promise.all([before.store.administration.migrate(), migrate(engine, topology)]);
    expect({ steps, found: await before.read() }).toStrictEqual({ steps, found: expected });
    await expectConverted(before.database);
    await before.expectClosedLocations();
    await before.store.administration.close();
  }

  async function expectConverted(database: string): Promise<void> {
    expect(await partsOf(database)).toBeGreaterThan(0);
    const keys = await engine.query<{ key: string }>({
      sql: `SELECT DISTINCT partition_key AS key FROM system.tables WHERE database = '${database}' AND name IN ('events', 'event_payloads')`,
      bindings: {},
    });
    expect(keys).toStrictEqual([{ key: 'least(greatest(toYear(start_at), 2025), 2032)' }]);
    for (const table of ['events_by_month', 'event_payloads_by_month'])
      expect(await count(`${database}.${table}`)).toBe(0);
  }

  /** Returns a store over tables of the first release, filled over several inserts and months. */
  async function openFirstRelease(database: string) {
    const store = engineUnderTest.open(database);
    await migrate(engine, { database }, (topology) =>
      migrations(topology).filter(({ version }) => version !== BY_YEAR),
    );
    const projectId = newProject();
    const events = Array.from({ length: 10 }, (_, index) =>
      sampleEvent({ project_id: projectId, start_time: NEW_YEAR - (index % 3) * MONTH - index }),
    );
    const [updated, deleted, moved, repeated, half] = events as [Event, Event, Event, Event, Event];
    await writeEvents(store, events, 1);
    await store.writer.write(batchOf({ rows: [rowOf({ ...updated, metrics: { score: 1 } }, 20)] }));
    await store.writer.write(batchOf({ tombstones: [locationOf(deleted, 21)] }));
    await store.writer.write(
      batchOf({
        rows: [rowOf({ ...moved, start_time: moved.start_time - MONTH }, 22)],
        tombstones: [locationOf(moved, 22)],
      }),
    );
    await store.writer.write(batchOf({ tombstones: [locationOf(repeated, 4)] }));
    await engine.command(
      `ALTER TABLE ${database}.event_payloads DELETE WHERE event_id = '${half.event_id}' SETTINGS mutations_sync = 2`,
    );
    const read = async () => ({
      page: await store.events.search(projectId, queryOf({ limit: 9 })),
      states: await store.states.read(events.map((event) => keyOf(event))),
      withoutPayload: await store.administration.rowsWithoutPayload(10),
    });
    /** Redelivers the first versions of the removed rows. */
    const expectClosedLocations = async () => {
      const { total } = await store.events.search(projectId, queryOf());
      await store.writer.write(batchOf({ rows: [rowOf(deleted, 2), rowOf(moved, 3), rowOf(updated, 1)] }));
      expect((await store.events.search(projectId, queryOf())).total).toBe(total);
      expect(await store.events.find(projectId, deleted.event_id)).toBeUndefined();
    };
    return { database, store, projectId, read, expectClosedLocations };
  }
}

function keyOf({ project_id: projectId, event_id: eventId }: Event) {
  return { projectId, eventId };
}

function locationOf(event: Event, version: number) {
  return { ...keyOf(event), sessionId: event.session_id, startTime: event.start_time, version };
}

/**
 * An engine whose process dies after this many statements that change something, in the middle of a statement
 * that renames two tables.
 */
function failingAfter(engine: SqlEngine, statements: number): SqlEngine {
  let left = statements;
  const command = async (sql: string) => {
    left--;
    if (left >= 0) return engine.command(sql);
    const [firstName, second] = sql.split(', ');
    if (left === -1 && sql.startsWith('RENAME TABLE') && second) await engine.command(`${firstName}`);
    throw new Error('killed');
  };
  return { ...bound(engine), command };
}

/** An engine whose disks have this much free space. */
function withFreeSpace(engine: SqlEngine, free: number): SqlEngine {
  const query = async <Row>(query: Query): Promise<Row[]> => {
    const rows = await engine.query<Row>(query);
    return query.sql.includes('system.disks') ? rows.map((row) => ({ ...row, free })) : rows;
  };
  return { ...bound(engine), query };
}
