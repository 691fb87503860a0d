import { TotalCache } from './total-cache.js';

describe('the cache of totals', () => {
  const counting = () => {
    const state = { reads: 0 };
    return { state, read: () => Promise.resolve(++state.reads) };
  };

  it('reads a total once while nothing changes', async () => {
    const cache = new TotalCache(true);
    const { read } = counting();
    expect([await cache.get('p1', 'all', read), await cache.get('p1', 'all', read)]).toEqual([1, 1]);
    expect(await cache.get('p2', 'all', read)).toBe(2);
    expect(await cache.get('p1', 'day', read)).toBe(3);
    expect([cache.has('p1', 'day'), cache.has('p1', 'hour'), cache.has('p3', 'day')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('keeps no total that was read before or while rows changed', async () => {
    const cache = new TotalCache(true);
    const { read } = counting();
    await cache.get('p1', 'all', read);
    const changed = cache.beginChange();
    expect(await cache.get('p1', 'all', read)).toBe(2);
    changed();
    expect(await cache.get('p1', 'all', read)).toBe(3);
    const changing = async () => {
      cache.beginChange()();
      return read();
    };
    expect(await cache.get('p1', 'hour', changing)).toBe(4);
    expect(await cache.get('p1', 'hour', read)).toBe(5);
  });

  it('keeps the total of a span that moves, as long as it is the same', async () => {
    const cache = new TotalCache(true);
    let reads = 0;
    const read = () => Promise.resolve({ total: ++reads, from: [10, 20], to: [30, 40] } as const);
    const of = (from: number, to: number, name = 'all') => cache.getOfSpan('p1', name, { from, to }, read);
    expect([await of(10, 30), await of(20, 40), await of(15, 35)]).toEqual([1, 1, 1]);
    expect([await of(9, 30), await of(21, 35), await of(15, 29), await of(15, 41)]).toEqual([2, 3, 4, 5]);
    expect([await of(15, 35, 'other'), await of(15, 35)]).toEqual([6, 5]);
    cache.beginChange()();
    expect([await of(15, 35), await of(15, 35)]).toEqual([7, 7]);
    expect(await cache.getOfSpan('p2', 'all', { from: 1, to: 2 }, () => Promise.resolve(undefined))).toBe(
      undefined,
    );
  });

  it('keeps nothing when other processes write', async () => {
    const cache = new TotalCache(false);
    const { read } = counting();
    expect([await cache.get('p1', 'all', read), await cache.get('p1', 'all', read)]).toEqual([1, 2]);
  });

  it('keeps a bounded number of totals of each project', async () => {
    const cache = new TotalCache(true);
    const { state, read } = counting();
    for (let span = 0; span < 9; span++) await cache.get('p1', `${span}`, read);
    await cache.get('p1', '8', read);
    expect(state.reads).toBe(9);
    await cache.get('p1', '0', read);
    expect(state.reads).toBe(10);
  });
});
