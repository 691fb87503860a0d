// The package's index does this for the product.
import '../../raw-json.js';
import { FILTER_CASES } from '../../../test/filter-cases.js';
import { FILTER_OPERATORS, FILTER_TYPES } from './filter.js';
import { matchesFilter, matchesFilters } from './matches-filter.js';

describe('a filter', () => {
  it.each(FILTER_CASES.map((row) => [row.name, row] as const))('%s', (_name, { event, filter, matches }) => {
    expect(matchesFilter(event, filter)).toBe(matches);
  });

  it('has at least 120 cases with distinct names and events', () => {
    expect(FILTER_CASES.length).toBeGreaterThanOrEqual(120);
    expect(new Set(FILTER_CASES.map(({ name }) => name)).size).toBe(FILTER_CASES.length);
    expect(new Set(FILTER_CASES.map(({ event }) => event.event_id)).size).toBe(FILTER_CASES.length);
  });

  it('has a case for every operator and every type', () => {
    expect(new Set(FILTER_CASES.map(({ filter }) => filter.operator))).toEqual(new Set(FILTER_OPERATORS));
    expect(new Set(FILTER_CASES.map(({ filter }) => filter.type))).toEqual(new Set(FILTER_TYPES));
  });
});

describe('several filters', () => {
  const [first] = FILTER_CASES.filter(({ matches, filter }) => matches && filter.field === 'source');
  it('must all match', () => {
    if (first === undefined) throw new Error('no case on source');
    const wrong = { ...first.filter, operator: 'is', value: 'nowhere' } as const;
    expect(matchesFilters(first.event, [])).toBe(true);
    expect(matchesFilters(first.event, [first.filter])).toBe(true);
    expect(matchesFilters(first.event, [first.filter, wrong])).toBe(false);
  });
});
