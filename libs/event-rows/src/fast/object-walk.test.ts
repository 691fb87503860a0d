import { randomUUID } from 'node:crypto';
import { RawText, type Event, type JsonObject, type JsonValue } from '@assay/domain';
import { sampleEvent } from '../../test/sample-event.js';
import { randomEvent, randomFrom } from '../../test/random-fixture.js';
import { EVENT_ROWS } from '../codec/event-row.js';

const seed = Date.now() % 2 ** 31;
process.stdout.write(`object-walk.test.ts seed ${seed}\n`);

function expectSameRow(event: Event): void {
  const plain = Buffer.from(EVENT_ROWS.encodePlainly(event)).toString('latin1');
  expect(EVENT_ROWS.encode(event).toString('latin1')).toBe(plain);
}

const VALUES: JsonValue[] = [
  ...[
    '',
    'plain',
    'é',
    '漢字 😀',
    'quote " \\ / \b\f\n\r\t\u0001\u007f\u2028',
    'a\0b',
    '\ud83d!',
    '\\u0000 \\ud800',
    ...['"', '\\', '\n', '\u0001', '\0', '\ud83d', '\ufffd', '“ ”', '\u007f'].flatMap((text) => [
      text + 'x'.repeat(300),
      'x'.repeat(300) + text,
      `${'é'.repeat(30)}${text}\t`.repeat(9),
    ]),
    '"'.repeat(30_000),
    'é"'.repeat(20_000),
  ],
  ...['5', '-3e2', '1e400', '0.1', '0x1', 'true', `0.${'0'.repeat(300)}1`],
  ...[23, 24, 25, 47, 48, 49, 127, 128, 255, 256, 257, 1025].flatMap((n) => ['x'.repeat(n), 'é'.repeat(n)]),
  ...[
    0,
    -0,
    1,
    9,
    10,
    99,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    -1,
    1.5,
    1e20,
    1e21,
    2 ** 64,
    -(2 ** 63),
    5e-324,
  ],
  ...[true, false, null, [], {}, [1, 'a', { b: [2 ** 64] }], ['\0'], [['deep', { 'a.b': 1 }]]],
];
const KEYS = [
  'a',
  'b',
  'a.b',
  'a.b.c',
  'otel',
  'résumé',
  '"',
  '\0',
  '\ud800',
  '__proto__',
  '0',
  'k'.repeat(130),
  '',
];
const EVERY_FIELD = [
  'inputs',
  'outputs',
  'config',
  'metadata',
  'metrics',
  'feedback',
  'user_properties',
] as const;

describe('the row that is written in one walk', () => {
  it.each(VALUES.map((value) => [JSON.stringify(value).slice(0, 40), value] as const))(
    'equals the plain one for the value %s',
    (_name, value) => {
      for (const name of EVERY_FIELD)
        expectSameRow(sampleEvent({ [name]: { value, list: [value], nested: { value, 'a.b': { value } } } }));
      expectSameRow(sampleEvent({ metadata: { otel: { value, resource: { value } } } }));
    },
  );

  it('equals the plain one for random events', () => {
    const random = randomFrom(seed);
    const one = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const object = (depth: number): JsonObject => {
      const entries = Array.from({ length: Math.floor(random() * 6) }, () => [
        one(KEYS),
        depth > 0 && random() < 0.4 ? object(depth - 1) : one(VALUES),
      ]);
      return Object.fromEntries(entries) as JsonObject;
    };
    for (let round = 0; round < 400; round++) {
      const fields = Object.fromEntries(EVERY_FIELD.map((name) => [name, object(3)]));
      expectSameRow(
        random() < 0.3 ? randomEvent(random, {}) : sampleEvent({ ...fields, event_id: randomUUID() }),
      );
    }
  });

  it.each(['x', '1', '-', 'é', '"', '# 1', ' ', '(', '1.5 '])(
    'equals the plain one for a raw text that starts with %s',
    (first) => {
      const text = first + '0'.repeat(300);
      const raw = new RawText(Buffer.from(JSON.stringify(text))).asValue();
      const ids = { event_id: randomUUID(), session_id: randomUUID() };
      const withText = (value: JsonValue, other: JsonValue) =>
        sampleEvent({
          ...ids,
          inputs: { chat_history: [{ role: 'user', content: value }], list: [value], mixed: ['x', value] },
          outputs: { content: value, nested: { content: value, 'a.b': { 'c.d': { content: value } } } },
          metadata: { other },
        });
      for (const other of [1, 2 ** 64, 'a\0'])
        expect(EVENT_ROWS.encode(withText(raw, other)).toString('latin1')).toBe(
          Buffer.from(EVENT_ROWS.encodePlainly(withText(text, other))).toString('latin1'),
        );
    },
  );

  it.each(['# ', '1', '-', ' '])(
    'copies a raw text that starts with %j and is no number without decoding it',
    (first) => {
      const literal = Buffer.from(`"${first}${'\xff'.repeat(300)}"`, 'latin1');
      const content = new RawText(literal).asValue();
      expect(EVENT_ROWS.encode(sampleEvent({ outputs: { content } })).includes(literal)).toBe(true);
    },
  );

  it('equals the plain one for more keys than are kept', () => {
    for (let round = 0; round < 120; round++)
      expectSameRow(
        sampleEvent({ metadata: Object.fromEntries(range(100).map((n) => [`k${round}.${n}`, n])) }),
      );
  });

  it('equals the plain one for more new keys than one event may add', () => {
    for (const count of [255, 256, 257, 400])
      expectSameRow(
        sampleEvent({ metadata: Object.fromEntries(range(count).map((n) => [`${count}-${n}`, n])) }),
      );
  });

  it('equals the plain one for objects that many events share, frozen or changed in between', () => {
    const resource: JsonObject = { 'service.name': 'shop', list: ['x'] };
    const event = sampleEvent({ metadata: { otel: { resource, status: { code: 'OK' } } } });
    expectSameRow(event);
    resource['service.name'] = 'office';
    expectSameRow(event);
    Object.freeze(resource);
    for (let round = 0; round < 3; round++) expectSameRow(event);
    for (const n of range(12))
      expectSameRow(sampleEvent({ metadata: { otel: { resource: Object.freeze({ n }) } } }));
  });
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
