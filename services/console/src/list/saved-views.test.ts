import {
  MAX_NAME,
  readAllViews,
  viewsOf,
  withLast,
  withNamed,
  withoutLast,
  withoutNamed,
  type AllViews,
} from './saved-views.js';

const named = (name: string, query = 'f=a:is:b') => ({ name, kind: 'events' as const, query });
const used = (query: string) => ({ kind: 'events' as const, query });
const queries = (all: AllViews, project = 'p') => viewsOf(all, project).last.map(({ query }) => query);

describe('views in the browser', () => {
  it('are of one project, and the same after they were stored', () => {
    const all = withLast(withNamed([], 'p', named('Mine')), 'q', used('f=x:is:y'));
    expect(readAllViews(JSON.stringify(all))).toEqual(all);
    expect(viewsOf(all, 'p').named).toEqual([named('Mine')]);
    expect([viewsOf(all, 'q').named, queries(all), viewsOf(all, 'r').named]).toEqual([[], [], []]);
  });

  it('are replaced by one of the same name, and removed by name and list', () => {
    const all = withNamed(withNamed([], 'p', named('Mine')), 'p', named('Mine', 'range=1h'));
    expect(viewsOf(all, 'p').named).toEqual([named('Mine', 'range=1h')]);
    expect(viewsOf(withoutNamed(all, 'p', { ...named('Mine'), kind: 'sessions' }), 'p').named).toHaveLength(
      1,
    );
    expect(viewsOf(withoutNamed(all, 'p', named('Mine')), 'p').named).toEqual([]);
  });

  it('remember filters once, the newest first, without the steps on the way to them', () => {
    let all: AllViews = [];
    for (const query of ['f=a', 'f=a&f=b', 'f=c', 'f=a&f=b', 'f=a&f=b'])
      all = withLast(all, 'p', used(query));
    expect(queries(all)).toEqual(['f=a&f=b', 'f=c']);
    expect(queries(withoutLast(all))).toEqual([]);
  });

  it('are bounded in each project and over all of them', () => {
    let all: AllViews = [];
    for (let at = 0; at < 100; at++) {
      all = withNamed(all, 'p', named(`view ${at}`));
      all = withLast(all, 'p', used(`f=${at}:is:x`));
      all = withLast(all, `project ${at}`, used('f=a:is:b'));
    }
    expect([viewsOf(all, 'p').named.length, queries(all).length, all.length]).toEqual([50, 8, 20]);
    const tooLong = 'f'.repeat(5_000);
    expect(withNamed(all, 'p', named('long', tooLong))).toBe(all);
    expect(withLast(all, 'p', used(tooLong))).toBe(all);
    expect(MAX_NAME).toBeLessThan(100);
  });

  it.each([
    null,
    '',
    '{',
    '{}',
    '[1]',
    '[["p"]]',
    '[["p", null]]',
    '[["p", {"named": 1, "last": {}}]]',
    '[["p", {"named": [{"kind": "events", "query": "f=a", "name": ""}, {"kind": "x", "query": ""}], "last": [{"kind": "runs", "query": "a"}, null]}]]',
  ])('are none in %p', (text) => {
    expect(viewsOf(readAllViews(text), 'p')).toEqual({ named: [], last: [] });
  });
});
