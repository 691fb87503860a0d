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
  ['newest hours and totals', 'newest 100'],
  ['sessions of runs', 'run result, small'],
  ['sessions of runs', 'compare two runs, small'],
  ['large runs', 'run result, large'],
  ['large runs', 'compare two runs, large'],
];

const PAGE = 100;
/** Sizes and numbers of pages that are asked for in turn: more than are asked for while an hour is known. */
const [SIZES, PAGES] = [40, 10];

/** Queries that begin with something remembered, each named `hint: query`. */
export function hintedCalls(load: SearchLoad): readonly NamedCalls[] {
  const cases = new Map(searchCases(load, '').map(({ name, call }) => [name, call]));
  const known = HINTS_OF_CASES.flatMap(([hint, name]) => {
    const call = cases.get(name);
    return call === undefined ? [] : [{ name: `${hint}: ${name}`, next: () => call }];
  });
  let asked = 0;
  const nextPage = () => {
    const [limit, page] = [PAGE - (asked % SIZES), 1 + (Math.floor(asked++ / SIZES) % PAGES)];
    return search({ limit, page });
  };
  const rows = { limit: PAGE, columns: ['event_name'], count: 'none' };
  return [
    ...known,
    { name: 'totals: another page of 100', next: nextPage },
    {
      name: 'newest hours: rows of 100, not counted',
      next: () => ({ method: 'POST', path: '/v1/events/page', body: rows }),
    },
  ];
}

function search(body: object): Call {
  return { method: 'POST', path: '/v1/events/search', body: { filters: [], ...body } };
}
