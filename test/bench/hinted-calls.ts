import type { Call } from './call-all.js';
import { searchCases } from './search-cases.js';
import type { SearchLoad } from './search-load.js';

/** Requests of one kind, one after the other. */
export interface NamedCalls {
  readonly name: string;
  readonly next: () => Call;
}

/** Which hints the cases of the search begin with. */
const HINTS_OF_CASES: readonly (readonly [hint: string, name: string])[] = [
  ['totals', 'newest 100'],
  ['sessions of runs', 'run result, small'],
  ['sessions of runs', 'compare two runs, small'],
];

const PAGE = 100;
/** Pages that are asked for in turn. */
const PAGES = 10;

/** Queries that begin with something remembered, each named `hint: query`. */
export function hintedCalls(load: SearchLoad): readonly NamedCalls[] {
  const cases = new Map(searchCases(load, '').map(({ name, call }) => [name, call]));
  const known = HINTS_OF_CASES.flatMap(([hint, name]) => {
    const call = cases.get(name);
    return call === undefined ? [] : [{ name: `${hint}: ${name}`, next: () => call }];
  });
  let asked = 0;
  const nextPage = (): Call => ({
    ...{ method: 'POST', path: '/v1/events/search' },
    body: { filters: [], limit: PAGE, page: 1 + (asked++ % PAGES) },
  });
  return [...known, { name: 'totals: another page of 100', next: nextPage }];
}
