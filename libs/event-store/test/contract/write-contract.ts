import { BUCKETS, type Event, type JsonObject } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import { NEW_YEAR, batchOf, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const MEBIBYTE = 1024 * 1024;
const MONTH_MS = 31 * 86_400_000;

/** Writes: events are returned unchanged, once, in their newest version. */
export function writeContract(store: () => EventStore): void {
  it('shows the last written of rows with the same location and version, within a batch, across batches, and after merges', async () => {
    const project_id = newProject();
    const [event, other] = [sampleEvent({ project_id }), sampleEvent({ project_id })];
    const parents = Array.from({ length: 60 }, (_, i) => `parent-${i}`);
    const rows = (parent_id: string) => [event, other].map((each) => rowOf({ ...each, parent_id }, 7));
    for (const [index, parent] of parents.entries()) {
      await store().writer.write(
        batchOf({ rows: index % 3 === 0 ? [...rows('earlier'), ...rows(parent)] : rows(parent) }),
      );
      if (index % 10 !== 9) continue;
      expect(await store().events.find(project_id, event.event_id)).toMatchObject({ parent_id: parent });
      const found = await store().events.search(
        project_id,
        queryOf({ filters: [{ field: 'parent_id', operator: 'is', type: 'string', value: parent }] }),
      );
      expect(found.total).toBe(2);
    }
  });

  const nested = (depth: number): JsonObject =>
    depth === 0 ? { end: [1, { two: null }] } : { down: nested(depth - 1) };

  async function expectRoundTrip(event: Event): Promise<void> {
    await writeEvents(store(), [event]);
    const found = await store().events.find(event.project_id, event.event_id);
    // Compared as text, because the order of keys matters and a key may be `__proto__`.
    expect(JSON.stringify(found)).toBe(JSON.stringify(event));
  }

  it.each<[string, JsonObject]>([
    ['text of every plane', { text: 'é ß 漢字 😀 \u2028 \u007f \ufeff', 'ключ 😀': 1 }],
    [
      'escapes',
      { 'quote"\\ / \b\f\n\r\t': 'a"b\\c/d\b\f\n\r\t\u0001\u001f', sql: `'); DROP TABLE events; --` },
    ],
    ['what looks like escapes', { text: '\\u0000 \\ud800 \\n', path: 'C:\\users\\u0000' }],
    [
      'numbers',
      JSON.parse(
        '{"a":1e21,"b":12345678901234567,"c":1.0,"d":-0.1e-7,"e":5e-324,"f":1.7976931348623157e308,"g":0.1}',
      ) as JsonObject,
    ],
    [
      'integers beyond 64 bits',
      JSON.parse(
        '{"a":1e20,"b":[-100000000000000000000,{"c":18446744073709551616}],"d":"100000000000000000000"}',
      ) as JsonObject,
    ],
    [
      'keys of prototypes',
      JSON.parse(
        '{"__proto__":{"x":1},"constructor":{"prototype":2},"toString":null,"hasOwnProperty":true}',
      ) as JsonObject,
    ],
    [
      'odd keys',
      { '': 1, ' ': 2, '.': 3, 'a.b': 4, 'a..b': 5, a: { b: 6 }, 'k=v': 7, '1': 8, '0': 9, '[0]': 10 },
    ],
    ['empty and null values', { a: null, b: [], c: {}, d: '', e: [null, [], {}], f: false }],
    ['64 levels', nested(63)],
    ['200 keys', Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`key${i}`, i]))],
    [
      'text longer than the index takes',
      { ['k'.repeat(300)]: 'v', long: 'x'.repeat(5_000), number: `0.${'0'.repeat(300)}1` },
    ],
  ])('returns %s as written', async (_name, value) => {
    const buckets = Object.fromEntries(BUCKETS.map((bucket) => [bucket, value]));
    await expectRoundTrip(sampleEvent({ project_id: newProject(), ...buckets }));
  });

  it('returns every other field as written', async () => {
    const texts = {
      event_name: `it's "é"\n`,
      source: 'a\\b',
      error: 'failed: \t😀',
      parent_id: 'not a uuid',
      children_ids: ['x', `y'"\\`],
    };
    await expectRoundTrip(
      sampleEvent({
        project_id: `p'"\\ ${newProject()}`,
        event_type: 'tool',
        origin: 'synthesised',
        ...texts,
      }),
    );
    await expectRoundTrip(sampleEvent({ end_time: null, duration: null, error: '', parent_id: '' }));
  });

  it('replaces NUL and unpaired surrogates, in keys and values, and keeps the rest of the batch', async () => {
    const project_id = newProject();
    const odd = sampleEvent({
      project_id,
      metadata: { 'a\0': 'b\0c', half: 'x\ud83d', other: '\udc00y', whole: '😀' },
      event_name: 'n\0',
    });
    const plain = sampleEvent({ project_id });
    await writeEvents(store(), [odd, plain]);
    const found = await store().events.find(project_id, odd.event_id);
    expect(found?.metadata).toStrictEqual({
      'a\ufffd': 'b\ufffdc',
      half: 'x\ufffd',
      other: '\ufffdy',
      whole: '😀',
    });
    expect(found?.event_name).toBe('n\ufffd');
    expect(await store().events.find(project_id, plain.event_id)).toStrictEqual(plain);
  });

  it('returns an event of 10 MiB', async () => {
    const text = 'long "text" with\nlines é '.repeat(MEBIBYTE / 4);
    await expectRoundTrip(
      sampleEvent({
        project_id: newProject(),
        inputs: { text: text.slice(0, 6 * MEBIBYTE) },
        outputs: { text: text.slice(0, 3 * MEBIBYTE) },
      }),
    );
  });

  it.each([
    0,
    1,
    -1,
    -62_135_596_800_000,
    946_684_799_999.5,
    4_102_444_800_000,
    1e15,
    9e15,
    NEW_YEAR + 0.123,
    NEW_YEAR + 0.999,
  ])('keeps the start time %p exactly', async (start_time) => {
    const event = sampleEvent({
      project_id: newProject(),
      start_time,
      end_time: start_time + 1.5,
      duration: 1.5,
    });
    await expectRoundTrip(event);
    const { events } = await store().events.search(
      event.project_id,
      queryOf({ from: start_time, to: start_time }),
    );
    expect(events).toStrictEqual([event]);
  });

  it('accepts a batch that spans 200 months', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 200 }, (_, month) =>
      sampleEvent({ project_id, start_time: 978_307_200_000 + month * MONTH_MS }),
    );
    await writeEvents(store(), events);
    expect((await store().events.search(project_id, queryOf())).total).toBe(200);
  });

  it('shows an event once, however often and under whatever token it is delivered', async () => {
    const event = sampleEvent({ project_id: newProject() });
    const batch = batchOf({ rows: [rowOf(event, 7)], token: 'first' });
    for (const token of ['first', 'first', 'second']) await store().writer.write({ ...batch, token });
    expect(await store().events.search(event.project_id, queryOf())).toStrictEqual({
      events: [event],
      total: 1,
    });
  });

  it('stores a different batch under a token that was used before', async () => {
    const project_id = newProject();
    const [one, two] = [sampleEvent({ project_id }), sampleEvent({ project_id })];
    await store().writer.write(batchOf({ rows: [rowOf(one, 1)], token: `${project_id} token` }));
    await store().writer.write(
      batchOf({ rows: [rowOf(one, 1), rowOf(two, 2)], token: `${project_id} token` }),
    );
    expect((await store().events.search(project_id, queryOf())).total).toBe(2);
  });

  it('shows the highest version, in whatever order versions arrive', async () => {
    const old = sampleEvent({ project_id: newProject(), metadata: { v: 'old' }, outputs: { v: 'old' } });
    const newer = { ...old, metadata: { v: 'new' }, outputs: { v: 'new' } };
    await writeEvents(store(), [newer], 20);
    await writeEvents(store(), [old], 10);
    expect(await store().events.find(old.project_id, old.event_id)).toStrictEqual(newer);
    const same = sampleEvent({ project_id: old.project_id, metadata: { v: 'old' } });
    await store().writer.write(
      batchOf({ rows: [rowOf({ ...same, metadata: { v: 'new' } }, 31), rowOf(same, 30)] }),
    );
    expect((await store().events.find(same.project_id, same.event_id))?.metadata).toStrictEqual({ v: 'new' });
    expect(
      (
        await store().events.search(
          old.project_id,
          queryOf({ filters: [{ field: 'metadata.v', operator: 'is', type: 'string', value: 'old' }] }),
        )
      ).total,
    ).toBe(0);
  });

  it('hides a deleted event permanently, also after a late delivery of it', async () => {
    const event = sampleEvent({ project_id: newProject() });
    const { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime } = event;
    await writeEvents(store(), [event], 1);
    await store().writer.write(
      batchOf({ tombstones: [{ projectId, eventId, sessionId, startTime, version: 9 }] }),
    );
    await writeEvents(store(), [event], 1);
    expect(await store().events.find(projectId, eventId)).toBeUndefined();
    expect(await store().events.search(projectId, queryOf())).toStrictEqual({ events: [], total: 0 });
    expect((await store().sessions.rollups(projectId, [sessionId])).size).toBe(0);
  });

  it('moves an event whose start time or session changes', async () => {
    const before = sampleEvent({ project_id: newProject(), origin: 'synthesised' });
    const after = {
      ...before,
      session_id: '11111111-1111-4111-8111-111111111111',
      start_time: NEW_YEAR - 3 * MONTH_MS,
    };
    const { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime } = before;
    await writeEvents(store(), [before], 1);
    await store().writer.write(
      batchOf({
        rows: [rowOf(after, 2)],
        tombstones: [{ projectId, eventId, sessionId, startTime, version: 2 }],
      }),
    );
    await writeEvents(store(), [before], 1);
    expect(await store().events.find(projectId, eventId)).toStrictEqual(after);
    expect(await store().events.search(projectId, queryOf())).toStrictEqual({ events: [after], total: 1 });
  });

  it('does nothing for an empty batch', async () => {
    await expect(store().writer.write(batchOf({}))).resolves.toBeUndefined();
  });

  it('rejects a batch with a row that the engine cannot read, and stores none of it', async () => {
    const [good, other] = [sampleEvent({ project_id: newProject() }), sampleEvent()];
    for (const bytes of [
      rowOf(other, 2).bytes.subarray(0, -3),
      Buffer.from('{"project_id":"p"}'),
      Buffer.alloc(0),
    ]) {
      const write = store().writer.write(batchOf({ rows: [rowOf(good, 1), { bytes, version: 2 }] }));
      await expect(write).rejects.toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
    }
    expect((await store().events.search(good.project_id, queryOf())).total).toBe(0);
  });

  it('serves readers while several batches are written', async () => {
    const project_id = newProject();
    const batches = Array.from({ length: 12 }, () =>
      Array.from({ length: 20 }, () => sampleEvent({ project_id })),
    );
    const seen: number[] = [];
    const writing = Promise.all(batches.map((events, index) => writeEvents(store(), events, index * 100)));
    const done = writing.then(() => true);
    while (
      !(await Promise.race([
        done,
        store()
          .events.search(project_id, queryOf())
          .then((page) => void seen.push(page.total)),
      ]))
    );
    const { events, total } = await store().events.search(project_id, queryOf());
    expect(total).toBe(240);
    expect(new Set(events.map((event) => event.event_id)).size).toBe(240);
    expect(seen.every((count) => count % 20 === 0)).toBe(true);
  });
}
