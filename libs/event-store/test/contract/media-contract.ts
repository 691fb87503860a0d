import { randomBytes, randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import type { SqlEngine } from '../../src/sql/engine/engine.js';
import type { EngineUnderTest } from '../engine-fixture.js';
import { batchOf, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { deleteWithSession, preventMerges, purgeAll, unlimited } from '../purge-fixture.js';

const IMAGE = randomBytes(150_000);
const URL_OF_IMAGE = `data:image/png;base64,${IMAGE.toString('base64')}`;

/** Large texts of payloads, which are stored once. */
export function mediaContract(engineUnderTest: EngineUnderTest, database: string): void {
  let store: EventStore;
  let plain: EventStore;
  let engine: SqlEngine;
  beforeAll(async () => {
    store = engineUnderTest.open(database, undefined, { storeMediaOnce: true, unusedMediaSeconds: 0 });
    plain = engineUnderTest.open(database, undefined, { storeMediaOnce: false });
    engine = engineUnderTest.engine();
    await store.administration.migrate();
    await preventMerges(engine, database);
  });
  afterAll(() => Promise.all([store.administration.close(), plain.administration.close(), engine.close()]));

  const anEvent = (fields: Partial<Event> = {}) =>
    sampleEvent({ project_id: newProject(), session_id: randomUUID(), ...fields });
  const media = async ({ project_id }: Event) =>
    engine.query<{ hash: string; type: string; bytes: number }>({
      sql: `SELECT DISTINCT hash, type, toFloat64(bytes) AS bytes FROM ${database}.media WHERE project_id = '${project_id}' ORDER BY hash`,
      bindings: {},
    });
  const storedText = async ({ project_id }: Event, column = 'inputs') =>
    (
      await engine.query<{ text: string }>({
        sql: `SELECT ${column} AS text FROM ${database}.event_payloads FINAL WHERE project_id = '${project_id}'`,
        bindings: {},
      })
    )
      .map(({ text }) => text)
      .join('\n');
  const expectEvents = async (events: readonly Event[], of = store) => {
    const [first] = events;
    const projectId = first!.project_id;
    const found = await of.events.search(projectId, queryOf());
    const byId = new Map(found.events.map((event) => [event.event_id, event]));
    const wanted = new Map(events.map((event) => [event.event_id, event]));
    expect(byId).toStrictEqual(wanted);
    for (const event of events) {
      expect(await of.events.find(projectId, event.event_id)).toStrictEqual(event);
      const states = await of.states.read([{ projectId, eventId: event.event_id }]);
      expect(states.get(`${projectId}/${event.event_id}`)?.event).toMatchObject(event);
    }
  };

  it('are stored once for all events of a project, and every read returns the events unchanged', async () => {
    const projectId = newProject();
    const events = [1, 2, 3].map((n) =>
      anEvent({
        project_id: projectId,
        inputs: { n, messages: [{ role: 'user', content: [{ url: URL_OF_IMAGE }, 'ä"\\ text'] }] },
        outputs: { copy: IMAGE.toString('base64'), more: URL_OF_IMAGE },
      }),
    );
    await writeEvents(store, events);
    expect(await media(events[0]!)).toStrictEqual([
      { hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, type: 'image/png', bytes: IMAGE.length },
    ]);
    expect((await storedText(events[0]!)).length).toBeLessThan(1_000);
    await expectEvents(events);
    await expectEvents(events, plain);
  });

  const base64 = randomBytes(60_001).toString('base64');
  it.each([
    ['a data URL with parameters', `data:text/plain;charset=utf-8;base64,${base64}`, 1],
    ['a data URL in capitals', `DATA:IMAGE/PNG;BASE64,${base64}`, 1],
    ['a missing padding', base64.replace(/=+$/, ''), 0],
    ['line breaks', base64.replace(/(.{76})/g, '$1\r\n'), 0],
    ['the alphabet for URLs', base64.replaceAll('+', '-').replaceAll('/', '_'), 0],
    ['65,536 characters', 'A'.repeat(65_536), 1],
    ['65,535 characters', 'A'.repeat(65_535), 0],
    ['bits behind the last byte', `${'A'.repeat(80_000)}AB==`, 0],
    ['an object in the text', JSON.stringify({ image: base64 }), 0],
    ['a reference', `assay-media:${'0'.repeat(64)}`, 0],
    ['many references', `assay-media:${'0'.repeat(64)},`.repeat(1_000), 0],
  ])('return a text with %s byte for byte', async (_title, text, count) => {
    const event = anEvent({ inputs: { text, list: [text] }, outputs: { text }, config: { text: 'x' } });
    await writeEvents(store, [event]);
    expect(await media(event)).toHaveLength(count);
    await expectEvents([event]);
  });

  it('stay in rows in which a client sent what looks like a reference', async () => {
    const other = anEvent({ inputs: { url: URL_OF_IMAGE } });
    await writeEvents(store, [other]);
    const [{ hash } = { hash: '' }] = await media(other);
    const event = anEvent({ inputs: { url: URL_OF_IMAGE }, outputs: { text: `assay-media:${hash}` } });
    await writeEvents(store, [event]);
    expect(await media(event)).toStrictEqual([]);
    await expectEvents([event]);
    const text = anEvent({ project_id: other.project_id, outputs: { text: `assay-media:${hash}` } });
    await writeEvents(store, [text]);
    await expectEvents([other, text]);
  });

  it('count with their whole size in pages', async () => {
    const event = anEvent({ inputs: { url: URL_OF_IMAGE }, outputs: {}, config: {} });
    await writeEvents(store, [event]);
    const { project_id: projectId } = event;
    const { unread, events } = await store.events.startPage(projectId, queryOf(), { maxHeldBytes: () => 1 });
    expect(events).toHaveLength(0);
    const bytes = JSON.stringify(event.inputs).length + 4;
    expect(unread.map(({ payloadBytes }) => payloadBytes)).toStrictEqual([bytes]);
    const keys = [{ projectId, eventId: event.event_id }];
    expect([...(await store.states.sizes(keys)).values()][0]).toBeGreaterThan(bytes);
  });

  it('are in the bytes of a field, whole and in ranges, and are read alone by their project', async () => {
    const event = anEvent({ inputs: { ä: 'ö', list: [URL_OF_IMAGE, { url: URL_OF_IMAGE }, 1] } });
    await writeEvents(store, [event]);
    const { project_id: projectId, event_id: eventId } = event;
    const located = await store.events.locateField(projectId, eventId, 'inputs');
    const text = Buffer.from(JSON.stringify(event.inputs));
    expect(located).toMatchObject({ bytes: text.length });
    expect(located).not.toHaveProperty('whole');
    const read = (from: number, length: number) =>
      store.events.fieldBytes(projectId, located!, { from, length });
    expect((await read(0, text.length)).equals(text)).toBe(true);
    for (const from of [0, 11, 12, 200_000, 200_061, 200_062, 400_000, text.length - 7])
      for (const length of [1, 2, 3, 6, 7]) {
        const part = text.subarray(from, from + length);
        expect([from, length, await read(from, part.length)]).toStrictEqual([from, length, part]);
      }
    const outputs = await store.events.locateField(projectId, eventId, 'outputs');
    expect(outputs?.whole?.toString()).toBe(JSON.stringify(event.outputs));
    const [{ hash } = { hash: '' }] = await media(event);
    expect(await store.events.media(projectId, hash)).toStrictEqual({
      hash,
      type: 'image/png',
      bytes: IMAGE.length,
    });
    const part = await store.events.mediaBytes(projectId, hash, { from: 100, length: 50 });
    expect(part).toStrictEqual(IMAGE.subarray(100, 150));
    expect(await store.events.media(newProject(), hash)).toBeUndefined();
    expect(await store.events.media(projectId, hash.toUpperCase())).toBeUndefined();
    expect(await store.events.media(projectId, '0'.repeat(64))).toBeUndefined();
  });

  it('are links where these are asked for', async () => {
    const event = anEvent({ inputs: { list: [URL_OF_IMAGE, 'data:x'], url: base64 }, outputs: { a: 'b' } });
    await writeEvents(store, [event]);
    const options = { mediaLinks: true };
    const found = await store.events.findWithDerived(event.project_id, event.event_id, options);
    const hash = expect.stringMatching(/^\/v1\/media\/[0-9a-f]{64}$/) as string;
    expect(found?.event.inputs).toStrictEqual({
      list: [{ media: hash, type: 'image/png', bytes: IMAGE.length }, 'data:x'],
      url: { media: hash, type: '', bytes: 60_001 },
    });
    expect(found?.event.outputs).toStrictEqual(event.outputs);
    expect((await store.events.findWithDerived(event.project_id, event.event_id))?.event).toStrictEqual(
      event,
    );
  });

  it('stay with a row that keeps its payload, and with one that is relocated', async () => {
    const event = anEvent({ inputs: { url: URL_OF_IMAGE } });
    await writeEvents(store, [event], 10);
    const moved = { ...event, session_id: randomUUID(), metrics: { score: 1 } };
    const { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime } = event;
    const tombstone = { projectId, eventId, sessionId, startTime, version: Number.MAX_SAFE_INTEGER };
    await store.writer.write(batchOf({ rows: [rowOf(moved, 20)], tombstones: [tombstone] }));
    await purgeAll(store);
    await expectEvents([moved]);
  });

  it('are removed when no event of the project refers to them any more', async () => {
    const projectId = newProject();
    const [one, two] = [1, 2].map((n) =>
      anEvent({ project_id: projectId, inputs: { n, url: URL_OF_IMAGE } }),
    ) as [Event, Event];
    const other = anEvent({ inputs: { url: URL_OF_IMAGE } });
    await writeEvents(store, [one, two, other]);
    await deleteWithSession(store, [one]);
    await purgeAll(store);
    await expectEvents([two]);
    await deleteWithSession(store, [two]);
    expect((await store.administration.deletedValues()).rows).toBeGreaterThan(0);
    expect(await store.deletions.countDeletedRows(projectId, Date.now() + 1_000)).toBeGreaterThan(0);
    await purgeAll(store);
    expect(await media(two)).toStrictEqual([]);
    expect(await store.deletions.countDeletedRows(projectId, Date.now() + 1_000)).toBe(0);
    expect(await store.administration.deletedValues()).toMatchObject({ rows: 0, bytes: 0 });
    await expectEvents([other]);
  });

  it('are removed when a newer version of their event has others, and has replaced it on the disk', async () => {
    const event = anEvent({ inputs: { url: URL_OF_IMAGE } });
    await writeEvents(store, [event], 10);
    const [former] = await media(event);
    const newer = { ...event, inputs: { url: `data:image/png;base64,${base64}` } };
    await writeEvents(store, [newer], 20);
    await engine.command(`OPTIMIZE TABLE ${database}.event_payloads FINAL`);
    await purgeAll(store);
    const left = await media(event);
    expect(left).toHaveLength(1);
    expect(left).not.toStrictEqual([former]);
    await expectEvents([newer]);
  });

  it('that a process stored before it was killed are removed, and those of a moment ago stay', async () => {
    const event = anEvent({ inputs: { url: URL_OF_IMAGE } });
    const careful = engineUnderTest.open(database, undefined, { storeMediaOnce: true });
    await writeEvents(careful, [event]);
    await deleteWithSession(careful, [event]);
    await purgeAll(careful);
    expect(await media(event)).toHaveLength(1);
    await purgeAll(store, { ...unlimited(), deletedBefore: Date.now() - 3_600_000 });
    expect(await media(event)).toHaveLength(1);
    await purgeAll(store);
    expect(await media(event)).toHaveLength(0);
    await careful.administration.close();
  });

  it('are stored again after a write that took as long as a machine sleeps', async () => {
    const event = anEvent({ inputs: { url: URL_OF_IMAGE } });
    const now = jest.spyOn(Date, 'now');
    const startedAt = performance.timeOrigin + performance.now();
    now.mockImplementation(() => startedAt + (now.mock.calls.length > 1 ? 3_600_000 : 0));
    try {
      await writeEvents(store, [event]);
    } finally {
      now.mockRestore();
    }
    const stored = await engine.query<{ rows: number }>({
      sql: `SELECT toFloat64(count()) AS rows FROM ${database}.media WHERE project_id = '${event.project_id}'`,
      bindings: {},
    });
    expect(stored).toEqual([{ rows: 2 }]);
    await expectEvents([event]);
  });

  it('fail the read of an event when they are missing, instead of another text', async () => {
    const event = anEvent({ inputs: { url: URL_OF_IMAGE } });
    await writeEvents(store, [event]);
    await engine.command(
      `ALTER TABLE ${database}.media DELETE WHERE project_id = '${event.project_id}' SETTINGS mutations_sync = 2`,
    );
    await expect(store.events.find(event.project_id, event.event_id)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await writeEvents(store, [event], 30);
    await expectEvents([event]);
  });

  it('go with their project', async () => {
    const event = anEvent({ inputs: { url: URL_OF_IMAGE } });
    await writeEvents(store, [event]);
    expect(await store.administration.projectIds()).toContain(event.project_id);
    while (!(await store.administration.removeProject(event.project_id)).isComplete);
    expect(await media(event)).toStrictEqual([]);
    expect(await store.administration.projectIds()).not.toContain(event.project_id);
  });
}
