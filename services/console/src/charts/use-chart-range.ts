import { usePreferences } from '../theme/preferences.js';
import { printListView, readListView, type Range } from '../url/list-view.js';
import { first, type Search } from '../url/search.js';

/** The time of charts, which the address has: the range, and whether the period before is drawn too. */
export interface ChartTime {
  readonly range: Range;
  readonly isCompared: boolean;
}

export const readChartTime = (search: Search): ChartTime => ({
  range: readListView(search).range,
  isCompared: first(search, 'vs') === 'before',
});

export function printChartTime({ range, isCompared }: ChartTime): Search {
  const { from, to, range: relative } = printListView({ ...readListView({}), range });
  return { from, to, range: relative, vs: isCompared ? 'before' : undefined };
}

/** The time zone of buckets: hours and days begin where those of the person do. */
export function useTimezone(): string {
  const { zone } = usePreferences();
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
