import { randomUUID } from 'node:crypto';
import { acceptEvent, acceptUpdate, type JsonObject } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import { largestEventOf } from './largest-event.js';

const MiB = 1024 * 1024;
/** Room for key, headers and framing, and for the headers of a dead letter. */
const AROUND_VALUE = 8 * 1024;
const context = { projectId: 'p'.repeat(24), now: 1_795_000_000_000, newId: randomUUID };

/** As many leaves as are indexed, each with the longest path and value, in the characters that take most bytes. */
function mostLeaves(): JsonObject {
  const leaves = Array.from({ length: 128 }, (_, index): [string, string] => [
    `${'€'.repeat(110)}${index}`,
    '€'.repeat(256),
  ]);
  return Object.fromEntries(leaves);
}

describe('the largest event of a topic', () => {
  it.each([
    ['1 MB', 1_000_000, 737_856],
    ['1 MiB', MiB, 786_432],
    ['8 MiB', 8 * MiB, 8_126_464],
    ['16 MiB, where 10 MB are the limit of every event', 16 * MiB, 10_485_760],
  ])('of %s', (_, messageBytes, expected) => {
    expect(largestEventOf(messageBytes)).toBe(expected);
  });

  it.each([
    ['with as many index entries as there can be', mostLeaves()],
    ['of control characters', { text: '\u0001'.repeat(1_000) }],
    ['of one text', {}],
  ])('fits %s', (_, metadata) => {
    const maxBytes = largestEventOf(MiB);
    const eventOf = (text: string) =>
      acceptEvent({ event_type: 'tool', metadata, inputs: { text } }, { ...context, maxBytes });
    const room = maxBytes - Buffer.byteLength(JSON.stringify(eventOf('').event));
    const { event } = eventOf('x'.repeat(room));
    expect(encodeEventRow(event).length + AROUND_VALUE).toBeLessThanOrEqual(MiB);
    expect(() => eventOf('x'.repeat(room + 1))).toThrow(
      'the event must not be larger than 786432 bytes of JSON',
    );
  });

  it('is also that of an update', () => {
    const update = (length: number) =>
      acceptUpdate({ metadata: { text: 'x'.repeat(length) } }, undefined, largestEventOf(MiB));
    expect(() => update(786_432)).toThrow('the update must not be larger than 786432 bytes of JSON');
    expect(JSON.stringify(update(700_000)).length).toBeGreaterThan(700_000);
  });
});
