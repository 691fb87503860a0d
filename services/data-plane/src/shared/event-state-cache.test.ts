import { randomUUID } from 'node:crypto';
import { acceptEvent } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import { EventStateCache } from './event-state-cache.js';

const ROW_BYTES = rowOf('e').length;

/** Rows behind each other in one buffer of this size, as they are read from the log. */
function rowsOf(count: number, bufferBytes = count * ROW_BYTES) {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  return Array.from({ length: count }, (_, index) => {
    const start = index * ROW_BYTES;
    rowOf('e').copy(buffer, start);
    return { key: `p/${randomUUID()}`, row: buffer.subarray(start, start + ROW_BYTES), version: index };
  });
}

function rowOf(event_name: string): Buffer {
  const context = { projectId: 'p', now: 1_790_000_000_000, newId: randomUUID };
  return Buffer.from(encodeEventRow(acceptEvent({ event_type: 'tool', event_name }, context).event));
}

describe('the rows of a cache of states', () => {
  it('are views of the buffer that they fill', () => {
    const cache = new EventStateCache(1 << 20);
    const rows = rowsOf(10);
    const [first] = rows;
    cache.add(rows);
    rowOf('c').copy(first!.row);
    expect(cache.get(first!.key)?.event?.event_name).toBe('c');
  });

  it('are copies when they are a small part of their buffer', () => {
    const cache = new EventStateCache(1 << 20);
    const [first] = rowsOf(1, 100 * ROW_BYTES);
    cache.add([first!]);
    rowOf('c').copy(first!.row);
    expect(cache.get(first!.key)?.event?.event_name).toBe('e');
  });

  it('count with all bytes of their buffers', () => {
    const bufferBytes = 200 * ROW_BYTES;
    const cache = new EventStateCache(3 * bufferBytes);
    const buffers = Array.from({ length: 10 }, () => rowsOf(100, bufferBytes));
    for (const rows of buffers) cache.add(rows);
    const cached = buffers.map((rows) => rows.filter(({ key }) => cache.has(key)).length);
    expect(cached.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(cached.at(-1)).toBe(100);
  });

  it('free their buffer when all of them are replaced or deleted', () => {
    // Enough for two buffers and for what the cache counts beside rows.
    const cache = new EventStateCache(50_000 + 250 * ROW_BYTES);
    const rows = rowsOf(100);
    for (let round = 0; round < 20; round++) {
      const again = rowsOf(100).map((one, index) => ({ ...one, key: rows[index]!.key }));
      cache.add(again);
      expect(again.every(({ key }) => cache.has(key))).toBe(true);
    }
    cache.delete(rows.map(({ key }) => key));
    const others = rowsOf(100);
    cache.add(others);
    expect(others.every(({ key }) => cache.has(key))).toBe(true);
  });
});
