import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ChartData, ChartRow } from '../api/charts.js';
import { formatScore } from '../format/number.js';
import { formatTime, isoTime } from '../format/time.js';
import { usePreferences } from '../theme/preferences.js';
import { Button } from '../ui/button.js';
import { useProject } from '../url/use-project.js';
import type { Definition } from './definition.js';
import { rowsOfMark, type RowsOfMark } from './rows-of-mark.js';
import { endOfBucket, nameOf, type Series } from './series.js';

interface Props {
  readonly definition: Definition;
  readonly data: ChartData;
  readonly starts: readonly number[];
  readonly series: readonly Series[];
  /** Of the period before. */
  readonly former: readonly Series[] | undefined;
}

const PAGE = 100;
const MAX_COLUMNS = 50;

/** The numbers of a chart, newest bucket first. Each is a link to the rows that it is made of. */
export function ChartTable({ definition, data, starts, series, former }: Props) {
  const { zone } = usePreferences();
  const [visible, setVisible] = useState(PAGE);
  const columns = series.slice(0, MAX_COLUMNS);
  // Of several groups, one column would be read as the sum of all.
  const isCompared = former !== undefined && series.length === 1;
  const newest = starts.map((_, index) => starts.length - 1 - index).slice(0, visible);
  return (
    <div className="chart-table" tabIndex={0} role="group" aria-label="Numbers of the chart">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.map((one) => (
              <th key={nameOf(one)} scope="col">
                <bdi>{series.length === 1 && definition.group === '' ? 'Value' : nameOf(one)}</bdi>
              </th>
            ))}
            {isCompared && <th scope="col">Before</th>}
          </tr>
        </thead>
        <tbody>
          {newest.map((bucket) => (
            <tr key={bucket}>
              <th scope="row" title={isoTime(starts[bucket])}>
                {formatTime(starts[bucket], zone, Date.now()).replace(/\.\d{3}$/, '')}
              </th>
              {columns.map((one) => (
                <td key={nameOf(one)}>
                  <Value
                    row={one.rows[bucket]}
                    rows={rowsOfMark(definition, one, {
                      from: starts[bucket] ?? 0,
                      to: endOfBucket(starts, bucket, data.to),
                    })}
                  />
                </td>
              ))}
              {isCompared && <td>{formatScore(former[0]?.values[bucket])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {starts.length > visible && (
        <Button kind="quiet" label="Show older" onPress={() => setVisible(visible + PAGE)} />
      )}
    </div>
  );
}

interface ValueProps {
  readonly row: ChartRow | undefined;
  readonly rows: RowsOfMark;
}

/** A cost of which a part is not known is none, and says why. */
function Value({ row, rows }: ValueProps) {
  const project = useProject();
  if (row === undefined || row.count === 0) return <>{formatScore(row?.value)}</>;
  const unpriced = row.unpriced_models;
  const search = { ...rows.search, f: [...rows.search.f] };
  const to = rows.kind === 'sessions' ? '/p/$project/sessions' : '/p/$project/events';
  return (
    <Link
      {...{ to, params: { project }, search }}
      title={unpriced === undefined ? undefined : `not known: no price for ${unpriced.join(', ')}`}
    >
      {unpriced === undefined ? formatScore(row.value) : 'not known'}
    </Link>
  );
}
