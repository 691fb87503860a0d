import fc from 'fast-check';
import { parseSearch, printSearch } from '../url/search.js';
import { PILLS } from './select-steps.js';
import { MODES, PARTS, printSessionView, readSessionView, type SessionView } from './session-view.js';

const views: fc.Arbitrary<SessionView> = fc.record({
  event: fc.option(fc.uuid(), { nil: undefined }),
  mode: fc.constantFrom(...MODES),
  part: fc.constantFrom(...PARTS),
  pills: fc.subarray([...PILLS]),
  query: fc.string({ maxLength: 100, unit: 'binary' }),
});

describe('the view of a session', () => {
  const seed = Date.now() % 2 ** 31;

  it(`is the same after it was an address (seed ${seed})`, () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(readSessionView(parseSearch(printSearch(printSessionView(view))))).toEqual(view);
      }),
      { seed, numRuns: 500 },
    );
  });

  it(`is read from any address, and the address that it prints says the same (seed ${seed})`, () => {
    const name = fc.constantFrom('event', 'view', 'part', 'pill', 'q', 'else');
    const value = fc.oneof(fc.constantFrom(...MODES, ...PARTS, ...PILLS), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (parameters) => {
        const view = readSessionView(parseSearch(`?${new URLSearchParams(parameters).toString()}`));
        expect(readSessionView(parseSearch(printSearch(printSessionView(view))))).toEqual(view);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('has an empty query when nothing was chosen', () => {
    expect(printSearch(printSessionView(readSessionView({})))).toBe('');
  });
});
