import '../../raw-json.js';
import type { JsonObject, JsonValue } from '../../json.js';
import { runSteps } from '../../steps.js';
import { MAX_EVENT_BYTES } from './clean-text.js';
import { walkTexts } from './text-walk.js';

const KEYS = 99_000;
/** Keys and values that a step looks at: those of an object below with few keys are not divided. */
const MAX_READS = 1_100;

const wide = (valueAt: (index: number) => JsonValue) =>
  Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`key${index}`, valueAt(index)]));

/** Values that each step of the walk reads. */
function readsOfSteps(object: JsonObject, wrap: (object: JsonObject) => JsonValue): number[] {
  let reads = 0;
  const get = (target: JsonObject, key: string) => {
    reads++;
    return target[key];
  };
  const steps = walkTexts(wrap(new Proxy(object, { get })), MAX_EVENT_BYTES);
  const done: number[] = [];
  for (let isDone = false; !isDone;) {
    const before = reads;
    isDone = steps.next().done === true;
    done.push(reads - before);
  }
  return done;
}

describe('the walk over the texts of a value', () => {
  it.each([
    ['in it', (object: JsonObject) => object],
    ['below', (object: JsonObject) => ({ below: { object } })],
    ['in a list', (object: JsonObject) => [{ object }, 1]],
  ])('takes steps for an object with 99,000 keys %s', (_where, wrap) => {
    const done = readsOfSteps(
      wide((index) => index),
      wrap,
    );
    expect(done.reduce((sum, reads) => sum + reads, 0)).toBe(KEYS);
    expect(Math.max(...done)).toBeLessThanOrEqual(MAX_READS);
  });

  it('takes steps for many small objects and lists', () => {
    const steps = walkTexts(
      wide(() => ({ a: [{ b: 1 }] })),
      MAX_EVENT_BYTES,
    );
    let taken = 1;
    while (steps.next().done !== true) taken++;
    expect(taken).toBeGreaterThan(KEYS / 1_000);
  });

  it('takes one step for an event of the usual size, and lists no keys', () => {
    const value = {
      inputs: { messages: [{ role: 'user', content: 'x'.repeat(100_000) }] },
      metadata: { n: 1 },
    };
    expect(walkTexts(value, MAX_EVENT_BYTES).next()).toEqual({
      done: true,
      value: { isSmallAndStorable: true, listed: undefined },
    });
  });

  it('returns the keys of a wide object', () => {
    const object = wide(() => 'text');
    const { isSmallAndStorable, listed } = runSteps(walkTexts({ object }, MAX_EVENT_BYTES));
    expect(isSmallAndStorable).toBe(true);
    expect(listed?.get(object)?.length).toBe(KEYS);
  });

  it.each<[string, JsonValue]>([
    ['U+0000 in a text', 'a\0'],
    ['an unpaired surrogate', '\ud800'],
    ['U+0000 in a key', { 'a\0': 1 }],
  ])('finds %s at the end of a wide object', (_what, last) => {
    const value = { inputs: wide((index) => (index < KEYS - 1 ? index : last)) };
    expect(runSteps(walkTexts(value, MAX_EVENT_BYTES)).isSmallAndStorable).toBe(false);
  });

  it.each<[string, JsonValue]>([
    ['plain texts', Array.from({ length: 5_000 }, () => 'text')],
    ['texts with escapes', Array.from({ length: 5_000 }, () => '"\u0001é')],
    ['numbers', Array.from({ length: 5_000 }, () => -1.7976931348623157e308)],
    ['large integers', Array.from({ length: 5_000 }, () => -(10n ** 308n))],
    [
      'literals and empty values',
      Array.from({ length: 5_000 }, (_, n) => [null, false, [], {}][n % 4] ?? null),
    ],
    ['keys', Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}`, 1]))],
  ])('never says that more than the bytes fits: %s', (_what, value) => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    expect(runSteps(walkTexts(value, bytes - 1)).isSmallAndStorable).toBe(false);
  });

  it('is exact to a few bytes for each value of a wide object with plain texts', () => {
    const value = wide((index) => `value ${index}`);
    const bytes = Buffer.byteLength(JSON.stringify(value));
    expect(runSteps(walkTexts(value, bytes + 100)).isSmallAndStorable).toBe(true);
  });
});
