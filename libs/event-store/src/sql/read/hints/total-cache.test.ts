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
