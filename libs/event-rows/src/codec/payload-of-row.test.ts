import { randomUUID } from 'node:crypto';
import { PAYLOAD_FIELDS, type Event, type JsonObject } from '@assay/domain';
import { sampleEvent } from '../../test/sample-event.js';
import { randomEvent, randomFrom } from '../../test/random-fixture.js';
import { readDerived } from '../../test/read-derived.js';
import { encodeEventRow } from './event-row.js';
import { MAX_LEAVES } from '../leaves/index-leaves.js';
import { decodeNarrowRow, decodePayload, encodeNarrowRow, payloadOfRow } from './payload-of-row.js';

const rowOf = (event: Event) => Buffer.from(encodeEventRow(event));
const EMPTY = { inputs: {}, outputs: {}, config: {} };

function leaves(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`leaf${index}`, index]));
}

describe('a row without its payload', () => {
  it('has the index of the whole row, whatever the event and its update', () => {
    const seed = Date.now() % 2 ** 31;
    const random = randomFrom(seed);
    for (let round = 0; round < 200; round++) {
      const [event, other] = [0, 0].map(() => randomEvent(random, { session_id: randomUUID() }));
      if (!event || !other) continue;
      const row = rowOf(event);
      const { metadata, metrics, feedback } = other;
      const updated = { ...event, metadata, metrics, feedback };
      const narrow = rowOf(updated).equals(row)
        ? row
        : Buffer.from(encodeNarrowRow({ ...updated, ...EMPTY }, payloadOfRow(row)));
      const [found, whole] = [readDerived(narrow), readDerived(rowOf(updated))];
      if (readDerived(row).complete)
        expect({ seed, round, found: sorted(found) }).toEqual({ seed, round, found: sorted(whole) });
      else expect(found.complete).toBe(false);
    }
  });

  it('is divided into the payload and the other fields', () => {
    const event = sampleEvent({ inputs: { a: 1 }, outputs: { text: 'é' }, metadata: { b: 2 } });
    const row = rowOf(event);
    expect({ ...decodeNarrowRow(row), ...decodePayload(row) }).toEqual(event);
    expect(decodeNarrowRow(row)).toEqual({ ...event, ...EMPTY });
    const texts = PAYLOAD_FIELDS.map((name) => JSON.stringify(event[name]));
    expect(payloadOfRow(row).bytes).toBe(Buffer.byteLength(texts.join('')));
  });

  it('is incomplete when the leaves of an update leave no room for those of the payload', () => {
    const event = sampleEvent({ ...EMPTY, inputs: { question: 'why' } });
    const payload = payloadOfRow(rowOf(event));
    const crowded = (count: number) =>
      readDerived(encodeNarrowRow({ ...event, metadata: leaves(count) }, payload));
    expect(crowded(MAX_LEAVES - 1)).toMatchObject({ complete: true, attrs: { 'inputs.question': 'why' } });
    expect(crowded(MAX_LEAVES)).toMatchObject({ complete: false, attrs: {} });
  });
});

function sorted({ attrs, nums, ...others }: ReturnType<typeof readDerived>) {
  const entries = (leafs: object) => Object.entries(leafs).sort();
  return others.complete ? { ...others, attrs: entries(attrs), nums: entries(nums) } : others;
}
