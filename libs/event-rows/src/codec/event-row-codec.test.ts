import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@assay/domain';
import { randomEvent, randomFrom } from '../../test/random-fixture.js';
import { sampleEvent } from '../../test/sample-event.js';
import { splitRow } from '../../test/split-row.js';
import { decodeEventRow, encodeEventRow, encodeEventRowSteps, EVENT_ROWS } from './event-row.js';
import { MAX_LEAVES } from '../leaves/index-leaves.js';
import { readDerived } from '../../test/read-derived.js';
import { rowFromJson } from './row-from-json.js';

function derived(metadata: JsonObject) {
  return readDerived(encodeEventRow(sampleEvent({ inputs: {}, outputs: {}, config: {}, metadata })));
}

const TEXTS = [
  '',
  'a',
  'x'.repeat(127),
  'x'.repeat(128),
  'é'.repeat(63),
  'é'.repeat(64),
  '漢'.repeat(6_000),
  '😀'.repeat(9_000),
  'line\nbreak\r\u2028',
];

describe('the row of an event', () => {
  it('decodes to the event, whatever the event', () => {
    const seed = Date.now() % 2 ** 31;
    const random = randomFrom(seed);
    const one = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    for (let round = 0; round < 150; round++) {
      const event = randomEvent(random, {
        session_id: randomUUID(),
        project_id: one(TEXTS),
        parent_id: one([null, randomUUID(), ...TEXTS]),
        children_ids: TEXTS.filter(() => random() < 0.2),
        event_name: one(TEXTS),
        source: one(TEXTS),
        start_time: one([0, -1, 1e15, 1_767_225_600_000.123, random() * 4e12]),
        end_time: one([null, 0, random() * 4e12]),
        duration: one([null, 0, 0.1, 1e300]),
        error: one([null, ...TEXTS]),
        outputs: { text: one(TEXTS), n: one([2 ** 60, 1e20, -3e20, 5e-324]) },
        feedback: { [one(TEXTS)]: [one(TEXTS), random()] },
        origin: one(['sent', 'synthesised'] as const),
      });
      const row = encodeEventRow(event);
      splitRow(row);
      expect({ seed, round, event: decodeEventRow(row) }).toStrictEqual({ seed, round, event });
    }
  });

  it('keeps its bytes while other rows are written', () => {
    const events = TEXTS.flatMap((text) => [
      sampleEvent({ inputs: { text } }),
      sampleEvent({ outputs: { text: text.repeat(9) } }),
    ]);
    const rows = events.map(encodeEventRow);
    expect(rows.map(decodeEventRow)).toStrictEqual(events);
  });

  it('is created from the JSON of records of version 1', () => {
    const event = sampleEvent({ metadata: { text: 'é "quoted"', n: 1.5 }, error: 'line\nbreak' });
    const line = Buffer.from(
      JSON.stringify({ ...event, attrs: { 'metadata.text': 'x' }, nums: {}, complete: true, run_id: '' }),
    );
    expect(rowFromJson(line)).toStrictEqual(encodeEventRow(event));
    expect(() => rowFromJson(Buffer.from('{"event_id":}'))).toThrow('the row of an event is not JSON');
  });

  it.each([
    ['is cut short', (row: Buffer) => row.subarray(0, -1)],
    ['has more behind it', (row: Buffer) => Buffer.concat([row, Buffer.alloc(1)])],
    ['is JSON', () => Buffer.from('{"project_id":"p","event_id":"e"}')],
    ['is empty', () => Buffer.alloc(0)],
  ])('is rejected if it %s', (_name, damaged) => {
    expect(() => splitRow(damaged(encodeEventRow(sampleEvent())))).toThrow(
      /^the row of an event (ends too early|is longer than its values)$/,
    );
  });

  it('is rejected if one of its texts is not JSON', () => {
    const row = Buffer.from(encodeEventRow(sampleEvent({ inputs: { a: 1 } })));
    row[row.indexOf('{"a":1}')] = 0x21;
    expect(() => decodeEventRow(row)).toThrow('the row of an event holds text that is not JSON');
  });

  it.each([{ event_id: 'not a uuid' }, { session_id: '0F6B6A52-7A0E-4F0E-9D29-1D1F0F8F7F10' }])(
    'cannot be created with %p',
    (fields) => {
      expect(() => encodeEventRow(sampleEvent(fields))).toThrow(`${Object.keys(fields)[0]} must be a UUID`);
    },
  );

  it('has the same layout as a tombstone', () => {
    const location = { projectId: 'p', eventId: randomUUID(), sessionId: randomUUID(), startTime: 5 };
    expect(() => splitRow(EVENT_ROWS.tombstone(location))).not.toThrow();
  });

  it('indexes strings and booleans, numbers and text that reads as a number, under their paths', () => {
    const row = derived({
      env: 'prod',
      ok: true,
      n: 1.5,
      text: '-2e3',
      nested: { deep: { er: 'x' } },
      'gen_ai.model': 'm',
      list: ['x'],
      none: null,
    });
    expect(row.attrs).toStrictEqual({
      'metadata.env': 'prod',
      'metadata.ok': 'true',
      'metadata.text': '-2e3',
      'metadata.nested.deep.er': 'x',
      'metadata.gen_ai.model': 'm',
    });
    expect(row.nums).toStrictEqual({ 'metadata.n': 1.5, 'metadata.text': -2000 });
    expect(row.complete).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['too many leaves', Object.fromEntries(Array.from({ length: MAX_LEAVES + 1 }, (_, i) => [`k${i}`, i]))],
    ['a path that is too long', { ['k'.repeat(200)]: 1 }],
    ['two values under one path', { a: { b: 1 }, 'a.b': 2 }],
    ['a long text that reads as a number', { n: `0.${'0'.repeat(300)}1` }],
  ])('says that its leaves are incomplete for %s', (_name, metadata) => {
    expect(derived(metadata).complete).toBe(false);
  });

  it('does not index long text', () => {
    const row = derived({ text: 'x'.repeat(300) });
    expect(row).toMatchObject({ attrs: {}, complete: true });
  });

  it('does not index paths that no filter finds: a second key with dots, or one in the middle', () => {
    expect(derived({ 'a.b': { 'c.d': 1 }, x: { 'y.z': { w: 1 } } })).toMatchObject({
      nums: {},
      complete: true,
    });
  });

  it('contains the ids of the run and the datapoint if they are text', () => {
    const run = randomUUID();
    expect(derived({ run_id: run, datapoint_id: 'd' })).toMatchObject({ run_id: run, datapoint_id: 'd' });
    expect(derived({ run_id: true, datapoint_id: 7 })).toMatchObject({ run_id: '', datapoint_id: '7' });
  });

  it('keeps every digit of integers that no number holds', () => {
    const ids = [
      2n ** 53n + 1n,
      -(2n ** 63n),
      2n ** 64n - 1n,
      2n ** 64n,
      -(2n ** 63n) - 1n,
      10n ** 300n + 1n,
    ];
    const inputs = {
      ids,
      ...Object.fromEntries(ids.map((id, index) => [`id${index}`, id])),
      huge: 1e20,
      text: String(ids[3]),
    };
    const event = sampleEvent({ inputs, metadata: { run_id: 2n ** 64n + 1n, 'a.b': { 'c.d': 2n ** 65n } } });
    const decoded = decodeEventRow(encodeEventRow(event));
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(event));
  });

  it('writes integers beyond 64 bits with an exponent, and no digit of text', () => {
    const text = 'x 100000000000000000000 "quoted \\" 300000000000000000000"';
    const metadata = { n: 1e20, list: [[-3e20]], small: 0.0012345678901234567, text };
    const row = encodeEventRow(sampleEvent({ metadata }));
    expect(row.includes('{"n":1e+20,"list":[[-3e+20]],"small":0.0012345678901234567,')).toBe(true);
    expect(decodeEventRow(row).metadata).toStrictEqual(metadata);
  });

  it('replaces NUL and unpaired surrogates, and no text that only resembles them', () => {
    const metadata = { nul: 'a\0b', half: '\ud83d!', pair: '😀', text: '\\u0000 \\\\ud800 \\ud83d' };
    const decoded = decodeEventRow(
      encodeEventRow(sampleEvent({ metadata, event_name: 'n\0', source: `${'s'.repeat(20)}\0\ud83d` })),
    );
    expect(decoded).toMatchObject({ event_name: 'n\ufffd', source: `${'s'.repeat(20)}\ufffd\ufffd` });
    expect(decoded.metadata).toStrictEqual({ ...metadata, nul: 'a\ufffdb', half: '\ufffd!' });
  });

  it.each([
    ['an ordinary event in one step', 10, 1],
    ['an event with 99,000 keys in many', 99_000, 101],
  ])('is the same when it is written in steps, %s', (_what, count, steps) => {
    const inputs = Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'text']));
    const event = sampleEvent({ inputs });
    const whole = Buffer.from(encodeEventRow(event));
    const writing = encodeEventRowSteps(event);
    let [taken, step] = [1, writing.next()];
    for (; step.done !== true; taken++) step = writing.next();
    expect(taken).toBe(steps);
    expect(whole.equals(step.value)).toBe(true);
  });
});
