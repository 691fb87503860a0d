import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Administration } from '../../administration/administration.js';
import { rejectedRequests } from '../../api/events.js';
import { listJobs } from '../../api/jobs.js';
import { getStatus, type Status } from '../../api/status.js';
import { useServes } from '../../api/use-session.js';
import { formatSeconds, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { Failure } from '../../ui/failure.js';
import { useProject } from '../../url/use-project.js';
import { DeadLetters } from './dead-letters.js';
import { EvaluationState } from './evaluation-state.js';
import { IngestLimits } from './ingest-limits.js';
import { Jobs } from './jobs.js';
import { Limits } from './limits.js';
import { findProblems } from './problems.js';
import { known } from './reading.js';
import { Redaction } from './redaction.js';
import { Rejections } from './rejections.js';
import { Stages } from './stages.js';
import { useDeadLetterCount } from './use-dead-letters.js';
import './health.css';

const EVERY_MS = 5_000;

/** Whether the installation does its work: what needs attention first, then each part with its numbers. */
export function HealthScreen() {
  const { status, rejections, jobs } = useHealth();
  const deadLetters = useDeadLetterCount();
  if (status.error !== null)
    return (
      <Failure
        {...{ title: 'The status could not be read', error: status.error }}
        onRetry={() => void status.refetch()}
      />
    );
  if (status.data === undefined) return <p className="health-note">Reading the status …</p>;
  return (
    <div className="health" role="group" aria-label="Health" tabIndex={0}>
      <Summary
        status={status.data}
        problems={findProblems({
          ...{ status: status.data, rejections: known(rejections) },
          ...{ jobs: known(jobs), deadLetters },
        })}
        knowsDeadLetters={deadLetters !== undefined}
      />
      <Part title="Stages">
        <Stages status={status.data} />
      </Part>
      <Part title="Rejected requests">
        <Rejections {...rejections} />
      </Part>
      <Part title="Evaluation">
        <EvaluationState status={status.data} />
      </Part>
      <Part title="Jobs">
        <Jobs {...jobs} />
      </Part>
      <DeadLetterPart />
      <Part title="What the control plane receives">
        <Redaction redaction={status.data.redaction} />
      </Part>
      <Part title="How much is taken">
        <IngestLimits status={status.data} />
      </Part>
      <Part title="Limits in force">
        <Limits limits={status.data.limits} />
      </Part>
    </div>
  );
}

/** Everything of the screen, read again while the tab is visible. */
function useHealth() {
  const project = useProject();
  const status = useQuery({
    queryKey: ['status', project],
    queryFn: ({ signal }) => getStatus(project, signal),
    refetchInterval: EVERY_MS,
  });
  const rejections = useQuery({
    queryKey: ['rejections', project],
    queryFn: ({ signal }) => rejectedRequests(project, signal),
    refetchInterval: EVERY_MS,
  });
  const jobs = useQuery({
    queryKey: ['jobs', project],
    queryFn: ({ signal }) => listJobs(project, signal),
    refetchInterval: EVERY_MS,
  });
  return {
    status,
    rejections: {
      read: rejections.data?.rejections,
      ...{ error: rejections.error, onRetry: () => void rejections.refetch() },
    },
    jobs: { read: jobs.data?.jobs, error: jobs.error, onRetry: () => void jobs.refetch() },
  };
}

interface SummaryProps {
  readonly status: Status;
  readonly problems: readonly string[];
  readonly knowsDeadLetters: boolean;
}

function Summary({ status, problems, knowsDeadLetters }: SummaryProps) {
  const { zone } = usePreferences();
  const queryableUntil = status.queryable_until === null ? undefined : Date.parse(status.queryable_until);
  const now = Date.parse(status.now);
  return (
    <header className={problems.length === 0 ? 'health-summary' : 'health-summary health-problems'}>
      <div role="status">
        <p className="health-headline">
          {problems.length > 0
            ? 'Needs attention'
            : `Nothing ${knowsDeadLetters ? '' : 'that this page knows '}needs attention`}
        </p>
        {problems.length > 0 && (
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        {!knowsDeadLetters && <p>Dead letters are not known without administration.</p>}
      </div>
      <p className="muted">
        {queryableUntil === undefined ? (
          'Until when queries find what was accepted is not known.'
        ) : (
          <>
            Queries find everything that was accepted before{' '}
            <span title={isoTime(queryableUntil)}>{formatSeconds(queryableUntil, zone, now)}</span>.
          </>
        )}{' '}
        Assay {status.version}, {status.plane === 'standalone' ? 'single process' : 'data plane'}.
      </p>
    </header>
  );
}

function DeadLetterPart() {
  if (!useServes('listDeadLetters')) return null;
  return (
    <Part title="Dead letters">
      <Administration what="Dead letters">
        <DeadLetters />
      </Administration>
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = `health-${title.replaceAll(' ', '-').toLowerCase()}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
