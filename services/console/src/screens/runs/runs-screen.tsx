import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pageOfRuns, summariesOfRuns, type Run, type RunSummary } from '../../api/runs.js';
import { useServes } from '../../api/use-session.js';
import { formatCost } from '../../format/cost.js';
import { formatDuration } from '../../format/duration.js';
import { formatCount, formatScore, formatTokens } from '../../format/number.js';
import { formatTime, isoTime } from '../../format/time.js';
import { InDataPlane } from '../../plane/in-data-plane.js';
import { usePreferences } from '../../theme/preferences.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { useProject } from '../../url/use-project.js';
import './runs.css';

const PAGE = 50;

/** Experiment runs with their numbers, newest first. */
export function RunsScreen() {
  const project = useProject();
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = (id: string) =>
    setChosen((before) =>
      before.includes(id) ? before.filter((one) => one !== id) : [...before.slice(-1), id],
    );
  const query = useQuery({
    queryKey: ['runs', project, page],
    queryFn: ({ signal }) => pageOfRuns(project, { page, limit: PAGE }, signal),
    placeholderData: keepPreviousData,
  });
  const runs = query.data?.evaluations ?? [];
  const hasScores = useServes('listRunSummaries');
  const summaries = useSummaries(project, hasScores ? runs : []);
  if (query.error !== null)
    return (
      <Failure title="The runs could not be read" error={query.error} onRetry={() => void query.refetch()} />
    );
  if (query.data === undefined) return <p className="runs-note">Reading runs …</p>;
  if (runs.length === 0)
    return (
      <Notice title="No runs yet">
        A run evaluates a configuration on the datapoints of a dataset. <code>POST /v1/runs</code> creates
        one.
      </Notice>
    );
  const { total, has_next: hasNext } = query.data.pagination;
  return (
    <div className="runs">
      {hasScores ? (
        <CompareChosen project={project} runs={runs} chosen={chosen} />
      ) : (
        <InDataPlane what="Scores, results and comparisons" />
      )}
      <RunTable {...{ runs, summaries, project, chosen, hasScores }} onChoose={choose} />
      <p className="runs-note">
        {formatCount(runs.length)} / {formatCount(total)} runs
        {page > 1 && <Button kind="quiet" label="Newer" onPress={() => setPage(page - 1)} />}
        {hasNext && <Button kind="quiet" label="Older" onPress={() => setPage(page + 1)} />}
      </p>
    </div>
  );
}

function useSummaries(project: string, runs: readonly Run[]): ReadonlyMap<string, RunSummary> {
  const ids = runs.map(({ run_id: id }) => id);
  const { data } = useQuery({
    queryKey: ['run summaries', project, ids],
    queryFn: ({ signal }) => summariesOfRuns(project, ids, signal),
    enabled: ids.length > 0,
  });
  return new Map((data?.summaries ?? []).map((summary) => [summary.run_id, summary]));
}

interface TableProps {
  readonly runs: readonly Run[];
  readonly summaries: ReadonlyMap<string, RunSummary>;
  readonly project: string;
  /** Ids of the runs to compare, at most two. */
  readonly chosen: readonly string[];
  /** Whether this process computes the numbers of runs. */
  readonly hasScores: boolean;
  readonly onChoose: (id: string) => void;
}

/** The way to compare two runs: the later one is the new one. */
function CompareChosen({ project, runs, chosen }: Pick<TableProps, 'project' | 'runs' | 'chosen'>) {
  const [newer, older] = runs.filter(({ run_id: id }) => chosen.includes(id));
  if (newer === undefined || older === undefined)
    return <p className="runs-note">Choose two runs to compare them.</p>;
  return (
    <p className="runs-note">
      <Link
        to="/p/$project/compare/$new/$old"
        params={{ project, new: newer.run_id, old: older.run_id }}
        className="button button-primary"
      >
        Compare {newer.name ?? newer.run_id.slice(0, 8)} against {older.name ?? older.run_id.slice(0, 8)}
      </Link>
    </p>
  );
}

function RunTable({ runs, summaries, project, chosen, hasScores, onChoose }: TableProps) {
  const numbers = hasScores ? ['Datapoints', 'Passed', 'Errors', 'Median', 'Tokens', 'Cost'] : [];
  return (
    <table className="runs-table">
      <thead>
        <tr>
          {hasScores && (
            <th scope="col">
              <span className="visually-hidden">Compare</span>
            </th>
          )}
          <th scope="col">Created</th>
          <th scope="col">Name</th>
          <th scope="col">Status</th>
          {numbers.map((title) => (
            <th key={title} scope="col" data-align="end">
              {title}
            </th>
          ))}
          {hasScores && <th scope="col">Metrics</th>}
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow
            key={run.run_id}
            run={run}
            summary={summaries.get(run.run_id)}
            project={project}
            isChosen={chosen.includes(run.run_id)}
            hasScores={hasScores}
            onChoose={onChoose}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly run: Run;
  readonly summary: RunSummary | undefined;
  readonly project: string;
  readonly isChosen: boolean;
  readonly hasScores: boolean;
  readonly onChoose: (id: string) => void;
}

function RunRow({ run, summary, project, isChosen, hasScores, onChoose }: RowProps) {
  const { zone } = usePreferences();
  const createdAt = Date.parse(run.created_at);
  const passed = summary && `${formatCount(summary.passed)} / ${formatCount(summary.datapoints)}`;
  const numbers = [
    formatCount(summary?.datapoints),
    passed ?? '—',
    formatCount(summary?.errors),
    formatDuration(summary?.duration_p50),
    formatTokens(summary?.tokens),
    formatCost(summary?.cost),
  ];
  return (
    <tr>
      {hasScores && (
        <td>
          <input
            type="checkbox"
            className="runs-check"
            checked={isChosen}
            aria-label={`Compare ${run.name ?? run.run_id}`}
            onChange={() => onChoose(run.run_id)}
          />
        </td>
      )}
      <td title={isoTime(createdAt)}>{formatTime(createdAt, zone, Date.now())}</td>
      <th scope="row" title={run.run_id}>
        <Link to="/p/$project/runs/$run" params={{ project, run: run.run_id }}>
          {run.name ?? run.run_id}
        </Link>
      </th>
      <td>{run.status}</td>
      {hasScores && <Numbers numbers={numbers} summary={summary} />}
    </tr>
  );
}

function Numbers({
  numbers,
  summary,
}: {
  readonly numbers: readonly string[];
  readonly summary: RunSummary | undefined;
}) {
  return (
    <>
      {numbers.map((text, index) => (
        <td key={index} data-align="end">
          {text}
        </td>
      ))}
      <td>
        {Object.entries(summary?.metrics ?? {}).map(([name, value]) => (
          <span key={name} className="runs-metric">
            {name} <strong>{formatScore(typeof value === 'number' ? value : undefined)}</strong>
          </span>
        ))}
      </td>
    </>
  );
}
