import {
  RawText,
  withoutRawText,
  type Event,
  type JsonObject,
  type JsonValue,
  type ListedKeys,
} from '@assay/domain';
import { runSync } from '@assay/runtime';
import { sampleEvent } from '../../test/sample-event.js';
import { randomFrom } from '../../test/random-fixture.js';
import { encodeEventRowSteps, EVENT_ROWS } from './event-row.js';

const KEYS = 99_000;
/** Values that a step of the walk reads; an object with few keys is not divided. */
const MAX_READS = 1_100;

/** What was done with an object: V8 lists all of its keys in one call, which nothing can divide. */
interface Work {
  lists: number;
  reads: number;
}

function watched(object: JsonObject, work: Work): JsonObject {
  return new Proxy(object, {
    ownKeys: (target) => {
      work.lists += 1;
      return Reflect.ownKeys(target);
    },
    get: (target, key, receiver) => {
      work.reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
}

const wide = (value: string) =>
  Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`key${n}`, value]));

/** The work of each step of the encoding of an event. */
function workOfSteps(inputs: (work: Work) => JsonObject, listed?: ListedKeys) {
  const work: Work = { lists: 0, reads: 0 };
  const event: Event = { ...sampleEvent(), inputs: inputs(work) };
  const steps = encodeEventRowSteps(event, listed);
  const done: Work[] = [];
  let row: Buffer | undefined;
  while (row === undefined) {
    const before = { ...work };
    const step = steps.next();
    done.push({ lists: work.lists - before.lists, reads: work.reads - before.reads });
    if (step.done === true) row = step.value;
  }
  return { row, done };
}

describe('the row of an event with 99,000 keys', () => {
  it.each([
    ['in an open object', (object: JsonObject) => object],
    ['in an object below', (object: JsonObject) => ({ below: { object } })],
    ['in a list', (object: JsonObject) => ({ messages: [{ object }] })],
  ])('%s is made in steps that read few of them', (_where, inputs) => {
    const { row, done } = workOfSteps((work) => inputs(watched(wide('x'), work)));
    expect(row.length).toBeGreaterThan(KEYS);
    // They are listed before it is known how many there are, too.
    expect(done.reduce((sum, { lists }) => sum + lists, 0)).toBe(2);
    expect(Math.max(...done.map(({ lists }) => lists))).toBe(1);
    expect(Math.max(...done.map(({ reads }) => reads))).toBeLessThanOrEqual(MAX_READS);
  });

  it('does not list keys that are known', () => {
    const object = wide('x');
    const listed = new Map<JsonObject, readonly string[]>();
    const { done } = workOfSteps((work) => {
      const inputs = watched(object, work);
      listed.set(inputs, Object.keys(object));
      return inputs;
    }, listed);
    expect(Math.max(...done.map(({ lists }) => lists))).toBe(0);
    expect(Math.max(...done.map(({ reads }) => reads))).toBeLessThanOrEqual(MAX_READS);
  });

  it.each([
    ['with texts that no column can hold', 'a\0b', {}],
    ['with texts that look like them', 'a\\u0000\\ud800', {}],
    ['with integers beyond 64 bits', '1', { last: 2 ** 64 }],
    ['with a path that may lead to two leaves', '1', { 'a.b': 1, a: { b: 2 } }],
  ])('%s is made in steps that read few of them', (_what, value, others: JsonObject) => {
    const { row, done } = workOfSteps((work) => watched({ ...wide(value), ...others }, work));
    expect(row.length).toBeGreaterThan(KEYS);
    expect(Math.max(...done.map(({ lists }) => lists))).toBe(1);
    expect(Math.max(...done.map(({ reads }) => reads))).toBeLessThanOrEqual(MAX_READS);
  });

  it.each<[string, JsonValue]>([
    ['a list of texts that no column can hold', Array<JsonValue>(300_000).fill('\0')],
    ['a list of integers', Array<JsonValue>(300_000).fill(2 ** 64)],
    ['a long text that no column can hold', 'é\ud800'.repeat(1_000_000)],
    ['a long text of digits', '12345678901234567890'.repeat(100_000)],
  ])('is made in steps for %s', (_what, value) => {
    const event = sampleEvent({ inputs: { value } });
    const steps = encodeEventRowSteps(event, new Map());
    let [count, step] = [0, steps.next()];
    for (; step.done !== true; step = steps.next()) count++;
    expect(count).toBeGreaterThan(20);
    expect(step.value.equals(EVENT_ROWS.encodePlainly(event))).toBe(true);
  });
});

describe('the row of an event with many keys', () => {
  const seed = Date.now() % 2 ** 31;
  process.stdout.write(`wide-event-steps.test.ts seed ${seed}\n`);
  const random = randomFrom(seed);
  const one = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const raw = (text: string) => new RawText(Buffer.from(JSON.stringify(text))).asValue();
  const SCALARS: JsonValue[] = ['', 'x', '5', 'é "\n', 'y'.repeat(300), 1, -0.5, 2 ** 53, true, null];
  const RARE: JsonValue[] = [
    ...['a\0', '\ud800', '\\u0000', '5\0', '1'.repeat(300)],
    ...[2 ** 64, 1e19, 12345678901234567890n, 10n ** 30n, -(10n ** 300n)],
  ];
  const NAMES = [
    'a',
    'a.b',
    'c.d.e',
    'otel',
    'é"',
    '\u0001',
    '__proto__',
    '7',
    'k'.repeat(130),
    '',
    '\\u0000',
  ];
  let rare = 0;
  const value = (depth: number): JsonValue => {
    const kind = random();
    if (depth > 0 && kind < 0.15) return object(depth - 1, 8);
    if (depth > 0 && kind < 0.25) return Array.from({ length: 3 }, () => value(depth - 1));
    if (kind < 0.3) return raw('z'.repeat(300));
    return kind < 0.3 + rare ? one(RARE) : one(SCALARS);
  };
  const object = (depth: number, keys: number): JsonObject =>
    Object.fromEntries(
      Array.from({ length: keys }, (_, n) => [random() < 0.2 ? one(NAMES) : `key${n}`, value(depth)]),
    );

  it('writes long integers in one form, also below an object of the protocol', () => {
    const event = sampleEvent({ inputs: { huge: 2 ** 64 }, metadata: { otel: { long: 1e19 } } });
    const plain = Buffer.from(EVENT_ROWS.encodePlainly(event));
    expect(Buffer.from(runSync(encodeEventRowSteps(event, new Map()))).equals(plain)).toBe(true);
  });

  it(`is the same as without steps, whatever they hold (seed ${seed})`, () => {
    for (let round = 0; round < 60; round++) {
      rare = one([0, 0.001, 0.1]);
      const inputs = { ...object(3, one([10, 300, 1_500])), long: one(['', 'y\\u0000'.repeat(20_000)]) };
      const metadata = object(2, one([10, 400]));
      const event = sampleEvent({ inputs, metadata });
      const plain = Buffer.from(EVENT_ROWS.encodePlainly(withoutRawText(event)));
      expect(
        Buffer.from(runSync(encodeEventRowSteps(event, one([undefined, new Map()])))).equals(plain),
      ).toBe(true);
    }
  });
});
