import type { Event, JsonObject } from '@assay/domain';
import { sampleEvent } from '../../test/event-fixture.js';
import { encodeEventRowSteps } from './event-row.js';

const KEYS = 99_000;

/** What was done with an object: V8 lists all of its keys in one call, which nothing can divide. */
interface Work {
  lists: number;
  reads: number;
}

function watched(value: string, work: Work): JsonObject {
  const object = Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`key${n}`, value]));
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

describe('the row of an event with 99,000 keys', () => {
  it.each([
    ['plain texts', 'x'],
    ['texts that no column can hold', 'a\0b'],
  ])('of %s is made in steps, each of which lists and reads its keys at most once', (_name, value) => {
    const work: Work = { lists: 0, reads: 0 };
    const event: Event = { ...sampleEvent(), inputs: watched(value, work) };
    const steps = encodeEventRowSteps(event);
    const done: Work[] = [];
    let row: Buffer | undefined;
    while (row === undefined) {
      const before = { ...work };
      const step = steps.next();
      done.push({ lists: work.lists - before.lists, reads: work.reads - before.reads });
      if (step.done === true) row = step.value;
    }
    expect(row.length).toBeGreaterThan(KEYS);
    expect(done.length).toBeGreaterThan(2);
    expect(Math.max(...done.map(({ lists }) => lists))).toBe(1);
    // JSON.stringify also looks for `toJSON`.
    expect(Math.max(...done.map(({ reads }) => reads))).toBeLessThanOrEqual(KEYS + 1);
  });
});
