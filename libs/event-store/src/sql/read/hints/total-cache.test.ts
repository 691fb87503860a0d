import { TotalCache } from './total-cache.js';

describe('the cache of totals', () => {
  const counting = () => {
    const state = { reads: 0 };
    return { state, read: () => Promise.resolve(++state.reads) };
  };

  it('reads a total once while nothing changes', async () => {
    const cache = new TotalCache();
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
    const cache = new TotalCache();
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
    const cache = new TotalCache();
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
    const cache = new TotalCache(0);
    const { read } = counting();
    expect([await cache.get('p1', 'all', read), await cache.get('p1', 'all', read)]).toEqual([1, 2]);
  });

  it('forgets of the project with the most when there are too many, so that no project forgets for another', async () => {
    const cache = new TotalCache(6);
    const { read } = counting();
    for (const project of ['p1', 'p2', 'p3'])
      for (const span of ['all', 'day']) await cache.get(project, span, read);
    const kept = () =>
      ['p1', 'p2', 'p3'].flatMap((project) =>
        ['all', 'day'].filter((span) => cache.has(project, span)).map((span) => `${project} ${span}`),
      );
    await cache.get('p4', 'all', read);
    expect(kept()).toEqual(['p1 day', 'p2 all', 'p2 day', 'p3 all', 'p3 day']);
    for (let span = 0; span < 100; span++) await cache.get('loud', `${span}`, read);
    expect(new Set(kept().map((name) => name.slice(0, 2)))).toEqual(new Set(['p1', 'p2', 'p3']));
    expect([cache.has('p4', 'all'), cache.has('loud', '99'), cache.has('loud', '9')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
