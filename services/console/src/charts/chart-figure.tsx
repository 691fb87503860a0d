import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import type { ChartData } from '../api/charts.js';
import { usePreferences } from '../theme/preferences.js';
import { useProject } from '../url/use-project.js';
import { ChartTable } from './chart-table.js';
import type { Definition } from './definition.js';
import type { PlottedLine } from './plot.js';
import { rowsOfMark } from './rows-of-mark.js';
import { endOfBucket, nameOf, seriesOf, type Series } from './series.js';

/** The library of charts is read with the first one. */
const Plot = lazy(() => import('./plot.js').then((module) => ({ default: module.Plot })));

interface Props {
  readonly definition: Definition;
  readonly data: ChartData;
  /** The same chart of the period before; undefined: it is not compared, or not read yet. */
  readonly before?: ChartData | undefined;
  readonly height: number;
}

/** Lines that are drawn; the table has all. */
const MAX_LINES = 12;

/** A chart: the lines, and the same numbers as a table. Each value leads to its rows. */
export function ChartFigure({ definition, data, before, height }: Props) {
  const project = useProject();
  const navigate = useNavigate();
  const { zone, theme } = usePreferences();
  const { starts, series } = useMemo(() => seriesOf(data), [data]);
  const former = useMemo(() => (before === undefined ? undefined : seriesOf(before).series), [before]);
  const lines = useMemo(() => linesOf(series, former, starts.length), [series, former, starts.length]);
  const choose = (bucket: number, line: number) => {
    const one = series[lines[line]?.colour ?? 0];
    const from = starts[bucket];
    if (one === undefined || from === undefined || lines[line]?.isBefore === true) return;
    const { kind, search } = rowsOfMark(definition, one, { from, to: endOfBucket(starts, bucket, data.to) });
    const to = kind === 'sessions' ? '/p/$project/sessions' : '/p/$project/events';
    void navigate({ to, params: { project }, search: { ...search, f: [...search.f] } });
  };
  if (data.totalEvents === 0) return <p className="charts-note">No event matches in this range.</p>;
  return (
    <>
      <Suspense fallback={<p className="charts-note">Drawing …</p>}>
        <Plot {...{ starts, lines, zone, theme, height, onChoose: choose }} />
      </Suspense>
      {series.length > 1 && <Legend series={series} />}
      <details>
        <summary>The numbers as a table</summary>
        <ChartTable {...{ definition, data, starts, series, former }} />
      </details>
    </>
  );
}

/** Lines of this period, then those of the one before, which have the colour of their group. */
function linesOf(
  series: readonly Series[],
  former: readonly Series[] | undefined,
  length: number,
): readonly PlottedLine[] {
  const drawn = series.slice(0, MAX_LINES);
  const now = drawn.map(({ name, values }, colour) => ({ label: name, values, isBefore: false, colour }));
  const then = drawn.flatMap(({ name, isRest }, colour) => {
    const same = former?.find((one) => one.name === name && one.isRest === isRest);
    if (same === undefined) return [];
    const values = Array.from({ length }, (_, index) => same.values[index] ?? null);
    return [{ label: `${name} before`, values, isBefore: true, colour }];
  });
  return [...now, ...then];
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <p className="chart-legend">
      {series.slice(0, MAX_LINES).map(({ name, isRest }, nth) => (
        <span key={`${name} ${isRest}`} data-line={nth % 10}>
          <bdi>{nameOf({ name, isRest })}</bdi>
        </span>
      ))}
      {series.length > MAX_LINES && <span>and {series.length - MAX_LINES} more in the table</span>}
    </p>
  );
}

/** Reads the same chart of the period before, once this one is known. */
export function useBefore(
  key: readonly unknown[],
  data: ChartData | undefined,
  read: ((data: ChartData, signal: AbortSignal) => Promise<ChartData>) | undefined,
): ChartData | undefined {
  const query = useQuery({
    ...{
      queryKey: ['chart before', ...key, data?.from, data?.to],
      enabled: data !== undefined && read !== undefined,
    },
    queryFn: ({ signal }): Promise<ChartData> =>
      data === undefined || read === undefined
        ? Promise.reject(new Error('nothing to compare'))
        : read(data, signal),
    placeholderData: keepPreviousData,
  });
  return read === undefined ? undefined : query.data;
}
