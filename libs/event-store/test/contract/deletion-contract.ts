import { randomUUID } from 'node:crypto';
import type { Deletion, EventStore } from '../../src/event-store.js';
import type { SqlEngine } from '../../src/sql/engine/engine.js';
import type { EngineUnderTest } from '../engine-fixture.js';
import { newProject, sampleEvent } from '../event-fixture.js';
import { deleteWithSession, newCanary, preventMerges, purgeAll, storeWithCanary } from '../purge-fixture.js';

const LATER = Date.now() + 86_400_000;

/** Deletions by filters, and what their receipts are made of. */
export function deletionContract(engineUnderTest: EngineUnderTest, database: string): void {
  let store: EventStore;
  let engine: SqlEngine;
  beforeAll(async () => {
    store = engineUnderTest.open(database);
    engine = engineUnderTest.engine();
    await store.administration.migrate();
    await preventMerges(engine, database);
  });
  afterAll(() => Promise.all([store.administration.close(), engine.close()]));

  const aDeletion = (fields: Partial<Deletion> = {}): Deletion => ({
    ...{ projectId: newProject(), id: randomUUID(), state: 'running', matched: 0, from: null, to: 2 },
    filters: [{ field: 'metadata.a', operator: 'is', type: 'string', value: `it's "\\` }],
    rows: { events: 0, event_payloads: 0, event_changes: 0, evaluations: 0 },
    ...{ deleting: null, logEnd: [[3, 2 ** 44]], isForwarded: false, createdAt: 1, lateUntil: 3 },
    ...{ deletedAt: null, erasedAt: null, verifiedAt: null, version: 1 },
    ...fields,
  });

  it('are returned in their newest version, open ones by project or all, and to no other project', async () => {
    const one = aDeletion();
    const other = aDeletion();
    await store.deletions.write(one, true);
    await store.deletions.write(other, true);
    const next: Deletion = { ...one, state: 'deleted', deletedAt: 5, version: 2 };
    await store.deletions.write(next, true);
    await store.deletions.write(one, true);
    expect(await store.deletions.read(one.projectId, one.id)).toStrictEqual(next);
    expect(await store.deletions.read(other.projectId, one.id)).toBeUndefined();
    expect(await store.deletions.open(one.projectId)).toStrictEqual([next]);
    expect(await store.deletions.open()).toEqual(expect.arrayContaining([next, other]));
    await store.deletions.write({ ...next, version: 3 }, false);
    expect(await store.deletions.open(one.projectId)).toStrictEqual([]);
  });

  it('leave no former version when it is forgotten, and go with their project', async () => {
    const canary = newCanary();
    const filters = [{ field: 'metadata.a', operator: 'is', type: 'string', value: canary } as const];
    const [one, other] = [aDeletion({ filters }), aDeletion()];
    const without: Deletion = { ...one, filters: null, version: 2 };
    for (const deletion of [one, other, without]) await store.deletions.write(deletion, true);
    await store.deletions.forgetFormerVersions(without);
    const sql = `SELECT content FROM ${database}.deletions`;
    const rows = async () => JSON.stringify(await engine.query<object>({ sql, bindings: {} }));
    for (const deadline = Date.now() + 60_000; (await rows()).includes(canary);)
      if (Date.now() > deadline) break;
    expect(await rows()).not.toContain(canary);
    expect(await store.deletions.read(one.projectId, one.id)).toStrictEqual(without);
    while (!(await store.administration.removeProject(one.projectId)).isComplete);
    expect(await store.deletions.read(one.projectId, one.id)).toBeUndefined();
    expect(await store.deletions.read(other.projectId, other.id)).toStrictEqual(other);
  });

  it('count the rows of events and of sessions, and those that a delete has left until the purge', async () => {
    const projectId = newProject();
    const anEvent = () => sampleEvent({ project_id: projectId, session_id: randomUUID() });
    const [one, member, kept] = [anEvent(), anEvent(), anEvent()];
    for (const event of [one, member, kept]) await storeWithCanary(store, event, newCanary());
    const rows = { eventIds: [one.event_id], sessionIds: [member.session_id] };
    const each = { events: 2, event_payloads: 2, event_changes: 2, evaluations: 2 };
    expect(await store.deletions.countRows(projectId, rows)).toStrictEqual(each);
    expect((await store.deletions.countRows(newProject(), rows)).events).toBe(0);
    expect(await store.deletions.countDeletedRows(projectId, LATER)).toBe(0);
    const before = Date.now() - 1;
    await deleteWithSession(store, [one, member]);
    expect(await store.deletions.countDeletedRows(projectId, LATER)).toBeGreaterThanOrEqual(10);
    expect(await store.deletions.countDeletedRows(projectId, before)).toBe(0);
    expect(await store.deletions.countDeletedRows(newProject(), LATER)).toBe(0);
    await purgeAll(store);
    expect(await store.deletions.countDeletedRows(projectId, LATER)).toBe(0);
    expect(
      (await store.deletions.countRows(projectId, { eventIds: [kept.event_id], sessionIds: [] })).events,
    ).toBe(1);
  });

  it('tell that files of replaced parts are there until the engine has removed them', async () => {
    const before = Date.now() - 10_000;
    const event = sampleEvent({ project_id: newProject(), session_id: randomUUID() });
    await storeWithCanary(store, event, newCanary());
    await engine.command(`ALTER TABLE ${database}.events MODIFY SETTING old_parts_lifetime = 3600`);
    await deleteWithSession(store, [event]);
    await purgeAll(store);
    expect(await store.deletions.hasFormerParts(LATER)).toBe(true);
    expect(await store.deletions.hasFormerParts(before - 86_400_000)).toBe(false);
  });
}
