import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { compareRuns, type Comparison, type RunPair } from '../api/run-results.js';
import { formatCount } from '../format/number.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { AGGREGATES, withMetric, type CompareView } from './compare-view.js';
import { DatapointGrid } from './datapoint-grid.js';
import { DatapointPane } from './datapoint-pane.js';
import { GateLine } from './gate-line.js';
import { MetricTable } from './metric-table.js';
import { RowTools } from './row-tools.js';
import { useCompareKeys } from './use-compare-keys.js';
import { useDatapoints } from './use-datapoints.js';
import './compare-page.css';
import '../ui/choices.css';

interface Props {
  readonly pair: RunPair;
  readonly view: CompareView;
  readonly onView: (change: Partial<CompareView>, options: { readonly replace: boolean }) => void;
}

/** Whether the new run is better, and the datapoints on which it is worse. */
export function ComparePage({ pair, view, onView }: Props) {
  const choose = (change: Partial<CompareView>) => onView(change, { replace: false });
  const { data, error, refetch } = useQuery({
    queryKey: ['comparison', pair, view.aggregate],
    queryFn: ({ signal }) => compareRuns(pair, view.aggregate, signal),
    placeholderData: keepPreviousData,
  });
  if (error !== null)
    return <Failure title="The runs could not be compared" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="diff-note">Comparing the runs…</p>;
  const ordered = withMetric(view, data);
  return (
    <div className="compare">
      <CompareHead pair={pair} comparison={data} view={view} onView={choose} />
      {data.warnings.map((warning) => (
        <p key={warning} className="compare-warning">
          ! {warning}
        </p>
      ))}
      {data.metrics.length + data.lost_metrics.length === 0 ? (
        <p className="diff-note">
          The runs have no metric in common. The datapoints are compared by whether all scores passed.
        </p>
      ) : (
        <MetricTable comparison={data} view={ordered} onView={choose} />
      )}
      <Datapoints pair={pair} comparison={data} view={ordered} onView={onView} />
    </div>
  );
}

interface HeadProps {
  readonly pair: RunPair;
  readonly comparison: Comparison;
  readonly view: CompareView;
  readonly onView: (change: Partial<CompareView>) => void;
}

function CompareHead({ pair, comparison, view, onView }: HeadProps) {
  const { old_run: oldRun, new_run: newRun, commonDatapoints } = comparison;
  const { project } = pair;
  return (
    <header className="compare-head">
      <span className="compare-label">new</span>
      <Link to="/p/$project/runs/$run" params={{ project, run: pair.newRun }} className="compare-run">
        {newRun.name ?? pair.newRun.slice(0, 8)}
      </Link>
      <span className="compare-label">against old</span>
      <Link to="/p/$project/runs/$run" params={{ project, run: pair.oldRun }} className="compare-run">
        {oldRun.name ?? pair.oldRun.slice(0, 8)}
      </Link>
      <span className="compare-facts">{formatCount(commonDatapoints.length)} common datapoints</span>
      <GateLine pair={pair} />
      <span className="space" />
      <label className="compare-choice">
        aggregate{' '}
        <select
          value={view.aggregate}
          onChange={({ target }) =>
            onView({ aggregate: AGGREGATES.find((one) => one === target.value) ?? 'average' })
          }
        >
          {AGGREGATES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <Link
        to="/p/$project/compare/$new/$old"
        params={{ project, new: pair.oldRun, old: pair.newRun }}
        className="button"
      >
        Swap
      </Link>
    </header>
  );
}

function Datapoints({ pair, comparison, view, onView }: Props & { readonly comparison: Comparison }) {
  const { query, rows, onEnd } = useDatapoints(pair, view);
  const found = rows.findIndex((row) => row.datapoint_id === view.datapoint);
  const cursor = Math.max(found, 0);
  const onMove = useCallback(
    (row: number) => onView({ datapoint: rows[row]?.datapoint_id }, { replace: true }),
    [rows, onView],
  );
  useCompareKeys({ pair, rows, cursor, isPlaced: found !== -1, view, onMove, onView });
  if (query.error !== null)
    return (
      <Failure
        title="The datapoints could not be compared"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  const current = rows[cursor];
  const direction = directionOf(comparison, view);
  const choose = (change: Partial<CompareView>) => onView(change, { replace: false });
  return (
    <>
      <RowTools view={view} counts={query.data?.pages[0]?.counts} onView={choose} />
      {query.data !== undefined && rows.length === 0 ? (
        <Notice title="No datapoint matches">
          {view.only.length > 0
            ? 'Show all datapoints to see the others.'
            : 'The runs have no sessions with datapoints.'}
        </Notice>
      ) : (
        <DatapointGrid {...{ rows, direction, cursor, onMove, onEnd }} />
      )}
      {current !== undefined && <DatapointPane pair={pair} row={current} view={view} onView={choose} />}
    </>
  );
}

/** Of the metric that orders the datapoints; passing is better than failing. */
function directionOf({ metrics }: Comparison, { metric, event }: CompareView): string {
  const chosen = metrics.find(
    (one) => one.metric_name === metric && (event ?? one.event_name) === one.event_name,
  );
  return chosen?.statistics.direction ?? 'higher';
}
