import { finishSync, type Steps } from '../../../steps.js';
import { emptyEvent, type Event } from '../../event.js';
import type { Filter, FilterOperator } from '../filter.js';
import { filterMatcher } from '../matches-filter.js';
import { BatchWork, type FilterWork } from './filter-work.js';

const ITEMS = 1_000_000;
const event = (t: Event['inputs'][string]): Event => ({ ...emptyEvent(), inputs: { t } });
const filterOf = (field: string, operator: FilterOperator, value: Filter['value']): Filter => ({
  ...{ field, operator, type: 'number', value },
});
const match = (stored: Event, filters: readonly Filter[], work: FilterWork) =>
  finishSync(filterMatcher(filters)(stored, work));

/** Counts what is taken, up to a limit. */
function countingWork(limit: number) {
  const counted = { taken: 0, refused: 0 };
  const take = (characters: number) => {
    if (counted.taken + characters > limit) {
      counted.refused++;
      return false;
    }
    counted.taken += characters;
    return true;
  };
  return { counted, work: { take } };
}

describe('a filter on all items of a list', () => {
  const long = event(Array.from({ length: ITEMS }, () => 1));

  it('is charged for the items before it reads them, and is not decided beyond the limit', () => {
    const filters = Array.from({ length: 50 }, () => filterOf('inputs.t[*]', 'is not', 2));
    const { counted, work } = countingWork(5 * ITEMS);
    expect(match(long, filters, work)).toBe('not_decided');
    expect(counted.refused).toBeGreaterThanOrEqual(45);
    const few = countingWork(ITEMS - 1);
    expect(match(long, [filterOf('inputs.t[*]', 'is', 1)], few.work)).toBe('not_decided');
    expect(few.counted.taken).toBe(0);
  });

  it('is charged for each step of its path', () => {
    const rows = event(Array.from({ length: 1_000 }, () => ({ a: { b: 1 } })));
    const { counted, work } = countingWork(ITEMS);
    expect(match(rows, [filterOf('inputs.t[*].a.b', 'is', 2)], work)).toBe('not_matching');
    expect(counted.taken).toBe(4 * 1_000);
  });

  it('lets other work run between its items, and decides as without', () => {
    const found = filterMatcher([filterOf('inputs.t[*]', 'is', 2)])(long, new BatchWork().forEvent());
    const steps = [...(found as Steps<string>)];
    expect(steps.length).toBeGreaterThanOrEqual(100);
    const last = event([...Array.from({ length: 30_000 }, () => 1), 2]);
    for (const [operator, expected] of [
      ['is', 'matching'],
      ['is not', 'not_matching'],
    ] as const)
      expect(match(last, [filterOf('inputs.t[*]', operator, 2)], new BatchWork().forEvent())).toBe(expected);
  });
});

describe('a filter on a deep path', () => {
  const path = `inputs.${Array.from({ length: 31 }, (_, index) => `key-${index}-${'x'.repeat(20)}`).join('.')}`;

  it('is charged for the keys that it may look up', () => {
    const { counted, work } = countingWork(ITEMS);
    expect(match(event({}), [filterOf(path, 'not exists', null)], work)).toBe('matching');
    expect(counted.taken).toBeGreaterThan(20_000);
    expect(match(event({}), [filterOf(path, 'not exists', null)], countingWork(20_000).work)).toBe(
      'not_decided',
    );
  });

  it('is free when it is short', () => {
    const { work } = countingWork(0);
    for (const short of ['inputs.t', 'inputs.messages.content', 'inputs.a.b.c.d'])
      expect(match(event('x'), [filterOf(short, 'not exists', null)], work)).not.toBe('not_decided');
  });
});
