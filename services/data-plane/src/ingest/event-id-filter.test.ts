import { randomUUID } from 'node:crypto';
import { EventIdFilter } from './event-id-filter.js';

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

describe('EventIdFilter', () => {
  it('reports every id as possibly stored until it is complete', () => {
    const known = new EventIdFilter(1 << 24);
    expect(known.mayContain(randomUUID())).toBe(true);
    known.markComplete();
    expect(known.mayContain(randomUUID())).toBe(false);
  });

  it('has no false negatives, even after growing', () => {
    const known = new EventIdFilter(1 << 26);
    known.markComplete();
    const added = ids(50_000);
    for (const id of added) known.add(id);
    expect(added.every((id) => known.mayContain(id))).toBe(true);
  });

  it('has less than 0.1 % false positives, also when a generation is full', () => {
    const known = new EventIdFilter(1 << 26);
    known.markComplete();
    for (let i = 0; i < 1 << 20; i++) known.add(randomUUID());
    const wrong = ids(100_000).filter((id) => known.mayContain(id)).length;
    expect(wrong / 100_000).toBeLessThan(0.001);
  });

  it('uses fewer bits for each id before it exceeds its memory', () => {
    // The second generation gets 11 bits for each of its ids.
    const known = new EventIdFilter(5_600_000);
    known.markComplete();
    for (let i = 0; i < 1.5 * (1 << 20); i++) known.add(randomUUID());
    const wrong = ids(20_000).filter((id) => known.mayContain(id)).length;
    expect(wrong / 20_000).toBeLessThan(0.02);
  });

  it('has all ids beyond its memory, and reports more of the others', () => {
    const known = new EventIdFilter(1_400_000);
    known.markComplete();
    const added = ids(20_000);
    for (const id of added.slice(0, 10_000)) known.add(id);
    for (let i = 0; i < 2 * (1 << 20); i++) known.add(randomUUID());
    for (const id of added.slice(10_000)) known.add(id);
    expect(added.every((id) => known.mayContain(id))).toBe(true);
    const wrong = ids(20_000).filter((id) => known.mayContain(id)).length;
    // 14 % with the ten bits per id of one generation for two.
    expect(wrong / 20_000).toBeGreaterThan(0.1);
    expect(wrong / 20_000).toBeLessThan(0.2);
  });

  it('has room for new ids however often the same ones are added', () => {
    const known = new EventIdFilter(1 << 24);
    known.markComplete();
    const updated = ids(1_000);
    for (let round = 0; round < 1_100; round++) for (const id of updated) known.add(id);
    expect(known.content().map(({ count }) => count)).toEqual([1_000]);
    expect(known.additions()).toBe(1_100_000);
    expect(updated.every((id) => known.mayContain(id))).toBe(true);
    expect(ids(20_000).filter((id) => known.mayContain(id))).toEqual([]);
  });

  it('has memory for as many ids as its generations take before they report more of the others', () => {
    expect(new EventIdFilter(1_400_000).capacity()).toBe(1 << 20);
    expect(new EventIdFilter(5_600_000).capacity()).toBe(3 * (1 << 20));
    expect(new EventIdFilter(256 << 20).capacity()).toBe(127 * (1 << 20));
  });

  it('keeps its ids while it is incomplete', () => {
    const known = new EventIdFilter(1 << 24);
    known.markComplete();
    const id = randomUUID();
    known.add(id);
    known.markIncomplete();
    expect(known.mayContain(randomUUID())).toBe(true);
    known.markComplete();
    expect([known.mayContain(id), known.mayContain(randomUUID())]).toEqual([true, false]);
  });
});
