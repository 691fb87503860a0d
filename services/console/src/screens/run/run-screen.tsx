import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { resultOfRun, type RunResult } from '../../api/run-results.js';
import { pageOfRuns } from '../../api/runs.js';
import { useServes } from '../../api/use-session.js';
import { AGGREGATES, type Aggregate } from '../../compare/compare-view.js';
import { formatCount, formatScore, formatValue } from '../../format/number.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { first, type Search } from '../../url/search.js';
import { RunDocument } from './run-document.js';
import '../runs/runs.css';
import './run.css';
import '../../ui/choices.css';

/** Datapoints that are shown before a person asks for more. */
const SHOWN = 100;
/** Other runs that a run can be compared with here; the list of runs has all. */
const OFFERED = 50;

export function RunScreen() {
  return useServes('getRunResult') ? <RunResults /> : <RunDocument />;
}

/** One run: its metrics, and its datapoints with those that failed first. */
function RunResults() {
  const { project, run } = useParams({ from: '/p/$project/runs/$run' });
  const search: Search = useSearch({ from: '/p/$project/runs/$run' });
  const navigate = useNavigate({ from: '/p/$project/runs/$run' });
  const aggregate = AGGREGATES.find((one) => one === first(search, 'agg')) ?? 'average';
  const onlyFailed = first(search, 'only') === 'failed';
  const onSearch = (change: Search) =>
    void navigate({ search: (before: Search) => ({ ...before, ...change }) });
  const { data, error, refetch } = useQuery({
    queryKey: ['run result', project, run, aggregate],
    queryFn: ({ signal }) => resultOfRun(project, run, aggregate, signal),
    placeholderData: keepPreviousData,
  });
  if (error !== null)
    return <Failure title="The result could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="runs-note">Computing the result …</p>;
  return (
    <div className="run">
      <RunHead
        {...{ project, run, aggregate, result: data }}
        onAggregate={(next) => onSearch({ agg: next === 'average' ? undefined : next })}
      />
      {data.error !== undefined && <p className="run-warning">! {data.error}</p>}
      <MetricResults result={data} />
      <Datapoints
        {...{ project, result: data, onlyFailed }}
        onOnlyFailed={() => onSearch({ only: onlyFailed ? undefined : 'failed' })}
      />
    </div>
  );
}

interface HeadProps {
  readonly project: string;
  readonly run: string;
  readonly result: RunResult;
  readonly aggregate: Aggregate;
  readonly onAggregate: (aggregate: Aggregate) => void;
}

function RunHead({ project, run, result, aggregate, onAggregate }: HeadProps) {
  const { passed, failed, run_object: about } = result;
  return (
    <header className="run-head">
      <h2>
        <bdi>{about.name ?? run}</bdi>
      </h2>
      <span className="run-facts">
        {result.status} · {formatCount(passed.length)} of {formatCount(passed.length + failed.length)}{' '}
        datapoints passed
        {about.dataset_name !== null && ` · ${about.dataset_name}`}
      </span>
      <span className="space" />
      <label className="run-choice">
        aggregate{' '}
        <select
          value={aggregate}
          onChange={({ target }) => onAggregate(AGGREGATES.find((one) => one === target.value) ?? 'average')}
        >
          {AGGREGATES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <CompareWith project={project} run={run} />
    </header>
  );
}

/** Other runs of the project, the newest first. */
function CompareWith({ project, run }: { readonly project: string; readonly run: string }) {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['runs', project, 'offered'],
    queryFn: ({ signal }) => pageOfRuns(project, { page: 1, limit: OFFERED }, signal),
  });
  const others = (data?.evaluations ?? []).filter(({ run_id: id }) => id !== run);
  if (others.length === 0) return null;
  return (
    <label className="run-choice">
      compare against{' '}
      <select
        value=""
        onChange={({ target }) =>
          void navigate({
            to: '/p/$project/compare/$new/$old',
            params: { project, new: run, old: target.value },
          })
        }
      >
        <option value="">choose a run</option>
        {others.map(({ run_id: id, name }) => (
          <option key={id} value={id}>
            {name ?? id}
          </option>
        ))}
      </select>
    </label>
  );
}

function MetricResults({ result }: { readonly result: RunResult }) {
  const { details, aggregation_function: aggregate } = result.metrics;
  if (details.length === 0) return <p className="runs-note">The run has no scores.</p>;
  return (
    <table className="runs-table run-metrics">
      <thead>
        <tr>
          <th scope="col">Metric</th>
          <th scope="col">Events</th>
          <th scope="col" data-align="end">
            {aggregate}
          </th>
          <th scope="col" data-align="end">
            n
          </th>
          <th scope="col" data-align="end">
            Passed
          </th>
          <th scope="col" data-align="end">
            Failed
          </th>
        </tr>
      </thead>
      <tbody>
        {details.map((one) => (
          <tr key={`${one.metric_name} ${one.event_name} ${one.event_type}`}>
            <th scope="row">
              <bdi>{one.metric_name}</bdi>
            </th>
            <td>{one.event_name}</td>
            <td data-align="end">{formatScore(one.aggregate)}</td>
            <td data-align="end">{formatCount(one.values.length)}</td>
            <td data-align="end">{formatCount(one.datapoints.passed.length)}</td>
            <td data-align="end">{formatCount(one.datapoints.failed.length)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DatapointProps {
  readonly project: string;
  readonly result: RunResult;
  readonly onlyFailed: boolean;
  readonly onOnlyFailed: () => void;
}

function Datapoints({ project, result, onlyFailed, onOnlyFailed }: DatapointProps) {
  const [count, setCount] = useState(SHOWN);
  const failed = result.datapoints.filter(({ passed }) => !passed);
  const all = onlyFailed ? failed : [...failed, ...result.datapoints.filter(({ passed }) => passed)];
  return (
    <>
      <p className="runs-note">
        {formatCount(Math.min(count, all.length))} / {formatCount(all.length)} trials
        <button type="button" className="pill" aria-pressed={onlyFailed} onClick={onOnlyFailed}>
          ✕ failed only <span className="pill-count">{formatCount(failed.length)}</span>
        </button>
      </p>
      <table className="runs-table">
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Datapoint</th>
            <th scope="col">Session</th>
            <th scope="col">Scores</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, count).map((one) => (
            <TrialRow key={one.session_id} project={project} trial={one} />
          ))}
        </tbody>
      </table>
      {count < all.length && <Button label="Show more" onPress={() => setCount(count + SHOWN)} />}
    </>
  );
}

interface TrialProps {
  readonly project: string;
  readonly trial: RunResult['datapoints'][number];
}

function TrialRow({ project, trial }: TrialProps) {
  const { passed, has_error: hasError, datapoint_id: datapoint, session_id: session, metrics } = trial;
  return (
    <tr>
      <td className={passed && !hasError ? undefined : 'run-failed'}>{outcomeOf(passed, hasError)}</td>
      <th scope="row">
        <code>{datapoint}</code>
      </th>
      <td>
        <Link to="/p/$project/sessions/$session" params={{ project, session }}>
          {session.slice(0, 8)}
        </Link>
      </td>
      <td>
        {metrics.map(({ name, event_name: event, value, passed: isPassed }) => (
          <span key={`${name} ${event}`} className={isPassed ? 'runs-metric' : 'runs-metric run-failed'}>
            {name} <strong>{formatValue(value)}</strong>
          </span>
        ))}
      </td>
    </tr>
  );
}

/** An error counts also when the scores passed. */
function outcomeOf(passed: boolean, hasError: boolean | undefined): string {
  if (passed) return hasError === true ? '✓ passed, ✕ error' : '✓ passed';
  return hasError === true ? '✕ error' : '✕ failed';
}
