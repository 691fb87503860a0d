import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batchOf, newProject } from '../../../../test/event-fixture.js';
import { ChdbEngine } from '../../../chdb/chdb-engine.js';
import { createChdbEventStore } from '../../../chdb/create-chdb-event-store.js';
import type { EventChanges, EventStore } from '../../../event-store.js';
import { DEFAULT_QUERY_LIMITS, type Query, type SqlEngine } from '../../engine/engine.js';
import { tableNames } from '../../schema/topology.js';
import { SqlEventStore } from '../../sql-event-store.js';
import { FlaggedIds } from './flagged-ids.js';

/** An engine that counts its look-ups of change flags. */
class CountingEngine extends ChdbEngine {
  lookUps = 0;

  override query<Row>(query: Query): Promise<Row[]> {
    if (query.sql.includes('AS is_deleted')) this.lookUps += 1;
    return super.query<Row>(query);
  }
}

describe('look-ups of change flags', () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-flags-'));
  const dir = join(root, 'events');
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const open: EventStore[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.administration.close()));
  });
  const openStore = () => {
    const store = createChdbEventStore({ dir });
    open.push(store);
    return store;
  };
  const changesOf = (projectId: string, fields: Partial<EventChanges> = {}): EventChanges => ({
    ...{ projectId, eventId: randomUUID(), patch: {}, deleted: false, version: 3 },
    ...fields,
  });
  const keyOf = ({ projectId, eventId }: EventChanges) => `${projectId}/${eventId}`;

  it('finds flags that this process, another store of it or an earlier process has written', async () => {
    const project = newProject();
    const first = openStore();
    await first.administration.migrate();
    const [early, late, moved] = [
      changesOf(project, { deleted: true }),
      changesOf(project, { deleted: true }),
      changesOf(project, { movedTo: randomUUID() }),
    ];
    await first.writer.write(batchOf({ changes: [early] }));
    await first.administration.close();

    const [one, other] = [openStore(), openStore()];
    const flagsOf = async (store: EventStore, keys: readonly EventChanges[]) => [
      ...(await store.states.changeFlags(keys)).keys(),
    ];
    expect(await flagsOf(one, [early, late, moved])).toStrictEqual([keyOf(early)]);
    await one.writer.write(batchOf({ changes: [late, changesOf(project)] }));
    await other.writer.write(batchOf({ changes: [moved] }));
    const all = [early, late, moved].map(keyOf).toSorted();
    expect((await flagsOf(one, [early, late, moved])).toSorted()).toStrictEqual(all);
    expect((await flagsOf(other, [early, late, moved])).toSorted()).toStrictEqual(all);
  });

  it('sends no statement for ids without a flag, unless other processes write to the store', async () => {
    const engine = new CountingEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
    const shares = { concurrency: 1, perProject: 1, maxWaiting: 1 };
    const options = { limits: DEFAULT_QUERY_LIMITS, shares, settleMs: 0 };
    const only = new SqlEventStore(
      engine,
      { database: 'counted' },
      { ...options, flagged: new FlaggedIds() },
    );
    open.push(only);
    await only.administration.migrate();
    const project = newProject();
    const deleted = changesOf(project, { deleted: true });
    const others = Array.from({ length: 50 }, () => changesOf(project));
    await only.writer.write(batchOf({ changes: others }));
    await only.states.changeFlags([...others, deleted]);
    expect(engine.lookUps).toBe(0);
    await only.writer.write(batchOf({ changes: [deleted] }));
    await only.states.changeFlags(others);
    expect(engine.lookUps).toBe(0);
    await only.states.changeFlags([...others, deleted]);
    expect(engine.lookUps).toBe(1);
    const shared = new SqlEventStore(engine, { database: 'counted' }, options);
    await shared.states.changeFlags(others);
    expect(engine.lookUps).toBe(2);
  });
});

describe('FlaggedIds', () => {
  const tables = tableNames({ database: 'assay' });
  const flagged = (projectId: string, eventId = randomUUID()): EventChanges => ({
    ...{ projectId, eventId, patch: {}, deleted: true, version: 1 },
  });
  /** Only `query` is used. */
  const storing = (rows: readonly EventChanges[], isFailing = () => false): SqlEngine => ({
    ...({} as SqlEngine),
    query: <Row>() =>
      isFailing()
        ? Promise.reject(new Error('unreachable'))
        : Promise.resolve(
            rows.map(({ projectId: project_id, eventId: event }) => ({ project_id, event })) as Row[],
          ),
  });

  it('counts every id of a project as flagged beyond its bound, and every id beyond the bound of all', async () => {
    const ids = new FlaggedIds({ perProject: 2, total: 4 });
    const [a, b, c] = [flagged('a'), flagged('b'), flagged('c')];
    const among = () => ids.among([a, b, c], storing([]), tables);
    ids.note([flagged('a'), flagged('a'), b]);
    expect(await among()).toStrictEqual([b]);
    ids.note([flagged('a')]);
    expect(await among()).toStrictEqual([a, b]);
    ids.note([flagged('b')]);
    expect(await among()).toStrictEqual([a, b, c]);
  });

  it('reads the stored flags again after a failure', async () => {
    let isFailing = true;
    const [stored, other] = [flagged('a'), flagged('a')];
    const ids = new FlaggedIds();
    const engine = storing([stored], () => isFailing);
    await expect(ids.among([stored, other], engine, tables)).rejects.toThrow('unreachable');
    isFailing = false;
    expect(await ids.among([stored, other], engine, tables)).toStrictEqual([stored]);
  });
});
