import { finishSync, type Steps } from '../../../steps.js';
import { emptyEvent, type Event } from '../../event.js';
import type { Filter, FilterOperator } from '../filter.js';
import { filterMatcher } from '../matches-filter.js';
import { BatchWork, type FilterWork } from './filter-work.js';

const MB = 1024 * 1024;
const text = (length: number): Event => ({
  ...emptyEvent(),
  event_name: 'long',
  inputs: { t: 'x'.repeat(length) },
});
const filterOf = (operator: FilterOperator, value: Filter['value'], field = 'inputs.t'): Filter => ({
  ...{ field, operator, type: 'string', value },
});
const workOf = (characters: number): FilterWork => {
  let left = characters;
  return { take: (some) => some <= left && (left -= some) >= 0 };
};
const match = (event: Event, filters: Filter[], work: FilterWork) =>
  finishSync(filterMatcher(filters)(event, work));

describe('filters that take more work than they may do', () => {
  it.each(['contains', 'not contains'] as const)('%s is not decided', (operator) => {
    expect(match(text(1_000), [filterOf(operator, 'y')], workOf(999))).toBe('not_decided');
    expect(match(text(1_000), [filterOf(operator, 'y')], workOf(1_000))).not.toBe('not_decided');
  });

  it('are decided by one that does not match, in any order', () => {
    const [long, other] = [filterOf('contains', 'y'), filterOf('is', 'short', 'event_name')];
    expect(match(text(1_000), [long, other], workOf(0))).toBe('not_matching');
    expect(match(text(1_000), [other, long], workOf(0))).toBe('not_matching');
    const matching = filterOf('is', 'long', 'event_name');
    expect(match(text(1_000), [matching, long], workOf(0))).toBe('not_decided');
    expect(match(text(1_000), [matching, filterOf('contains', 'lo', 'event_name')], workOf(0))).toBe(
      'matching',
    );
  });

  it('stop between the parts of a text', () => {
    const found = filterMatcher([filterOf('contains', 'y')])(text(MB), workOf(MB)) as Steps<string>;
    expect([...found].length).toBeGreaterThanOrEqual(16);
  });
});

describe('the work of a batch', () => {
  it('is limited for each event, and for all of them', () => {
    const batch = new BatchWork();
    const first = batch.forEvent();
    expect([first.take(15 * MB), first.take(2 * MB), first.take(MB)]).toEqual([true, false, true]);
    for (let events = 1; events < 4; events++) expect(batch.forEvent().take(16 * MB)).toBe(true);
    const last = batch.forEvent();
    expect([last.take(2 * MB), last.take(MB), last.take(1)]).toEqual([false, true, false]);
  });
});
