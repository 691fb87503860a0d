import fc from 'fast-check';
import { parseFilter } from './filters.js';
import { DEFAULT_RANGE, printListView, RANGES, readListView, type ListView } from './list-view.js';
import { parseSearch, printSearch } from './search.js';
import { safeNext } from './searches.js';

const text = fc.string({ minLength: 1, maxLength: 30, unit: 'binary' });
const views: fc.Arbitrary<ListView> = fc.record({
  filters: fc.array(fc.string({ maxLength: 40, unit: 'binary' }).map(parseFilter), { maxLength: 5 }),
  range: fc.oneof(
    fc.constantFrom(...RANGES),
    fc
      .tuple(fc.nat(2e12), fc.nat(2e12))
      .map(([from, to]) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })),
  ),
  sort: fc.record({
    field: text.filter((field) => !field.startsWith('-')),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  columns: fc.uniqueArray(text, { maxLength: 4 }),
  live: fc.boolean(),
});

describe('the view of a list', () => {
  const seed = Date.now() % 2 ** 31;

  it(`is the same after it was an address (seed ${seed})`, () => {
    fc.assert(
      fc.property(views, (view) => {
        const address = printSearch(printListView(view));
        expect(readListView(parseSearch(address))).toEqual(view);
      }),
      { seed, numRuns: 300 },
    );
  });

  it(`is read from any address (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (query) => {
        const view = readListView(parseSearch(`?${query}`));
        expect(readListView(parseSearch(printSearch(printListView(view))))).toEqual(view);
      }),
      { seed, numRuns: 300 },
    );
  });

  it('has an empty query when nothing was chosen', () => {
    expect(printSearch(printListView(readListView({})))).toBe('');
    expect(readListView({}).range).toBe(DEFAULT_RANGE);
  });
});

describe('the address to continue with after signing in', () => {
  it.each(['/p/abc/sessions?f=error:exists', '/p/abc'])('%s is one of the console', (next) =>
    expect(safeNext(next)).toBe(next),
  );

  it.each([
    'https://evil.example/',
    '//evil.example/p/x',
    '/\\evil.example',
    '/p/',
    'javascript:alert(1)',
    '/p//x',
    '',
  ])('%p is none', (next) => expect(safeNext(next)).toBeUndefined());
});
