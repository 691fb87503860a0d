import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { allMetrics, type Metric } from '../../api/metrics.js';
import { useMay, useServes } from '../../api/use-session.js';
import { arrivalText, thresholdText } from '../../evaluators/describe.js';
import { kindOf } from '../../evaluators/kinds.js';
import { decisionsText, useDecisions } from '../../evaluators/use-decisions.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { formatTime, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { useProject } from '../../url/use-project.js';
import '../../evaluators/evaluators.css';

/** Metrics whose decisions are read together: each takes a request. */
const SHOWN = 20;
const DECISIONS = 'Decisions, 24 hours';
const TITLES = ['Name', 'Type', 'Passes', 'New events', DECISIONS, 'Changed'];

/** The metrics of the project, newest first. */
export function EvaluatorsScreen() {
  const project = useProject();
  const hasDecisions = useServes('listMetricDecisions');
  const [visible, setVisible] = useState(SHOWN);
  const { data, error, refetch } = useQuery({
    queryKey: ['metrics', project],
    queryFn: ({ signal }) => allMetrics(project, signal),
  });
  if (error !== null)
    return <Failure title="The metrics could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="evaluators-note">Reading metrics …</p>;
  const { metrics } = data;
  if (metrics.length === 0)
    return (
      <Notice title="No metrics yet" actions={<NewMetric />}>
        A metric scores events when they arrive: by code in Python, by a judge, by combining other scores, or
        by people.
      </Notice>
    );
  return (
    <div className="evaluators">
      <p className="evaluators-note">
        <NewMetric />
      </p>
      <table className="evaluators-table">
        <thead>
          <tr>
            {TITLES.filter((title) => hasDecisions || title !== DECISIONS).map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {metrics.slice(0, visible).map((metric) => (
            <MetricRow key={metric.id} metric={metric} hasDecisions={hasDecisions} />
          ))}
        </tbody>
      </table>
      <p className="evaluators-note">
        {formatCount(Math.min(visible, metrics.length))} / {formatCount(metrics.length)} metrics
        {metrics.length > visible && (
          <Button kind="quiet" label="Show more" onPress={() => setVisible(visible + SHOWN)} />
        )}
      </p>
    </div>
  );
}

function NewMetric() {
  const project = useProject();
  if (!useMay('metrics:write')) return <span>New metrics need the permission metrics:write.</span>;
  return (
    <Link
      {...{ to: '/p/$project/evaluators/$metric', params: { project, metric: 'new' } }}
      className="button button-normal"
    >
      New metric
    </Link>
  );
}

interface RowProps {
  readonly metric: Metric;
  /** Whether this process knows what was decided. */
  readonly hasDecisions: boolean;
}

function MetricRow({ metric, hasDecisions }: RowProps) {
  const project = useProject();
  const { zone } = usePreferences();
  const changedAt = Date.parse(metric.updated_at ?? metric.created_at);
  const warning = metric.warnings?.join(' · ');
  return (
    <tr>
      <th scope="row">
        <Link
          {...{ to: '/p/$project/evaluators/$metric', params: { project, metric: metric.id } }}
          title={metric.name}
        >
          <bdi>{printName(metric.name)}</bdi>
        </Link>
      </th>
      <td>{kindOf(metric).name}</td>
      <td>{thresholdText(metric.threshold)}</td>
      <td title={warning}>
        {arrivalText(metric)}
        {warning !== undefined && <span className="evaluators-warning"> · ! {warning}</span>}
      </td>
      {hasDecisions && <td>{kindOf(metric).isEvaluated ? <Decisions id={metric.id} /> : '—'}</td>}
      <td title={isoTime(changedAt)}>{formatTime(changedAt, zone, Date.now())}</td>
    </tr>
  );
}

function Decisions({ id }: { readonly id: string }) {
  const project = useProject();
  const { data, error } = useDecisions({ project, metricId: id }, '24h');
  if (error !== null) return <span title={error.message}>could not be read</span>;
  return <>{data && decisionsText(data)}</>;
}
