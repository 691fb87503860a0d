import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { stopJob, type Job } from '../../api/jobs.js';
import { useMay } from '../../api/use-session.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { formatTime, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { notify } from '../../ui/toast.js';
import { useProject } from '../../url/use-project.js';
import { HealthTable } from './health-table.js';
import type { Reading } from './reading.js';

const TITLES = ['Job', 'State', 'Events', 'Result', 'Began'];

/** Jobs that read stored events: those that run, and the last ones that have ended. */
export function Jobs({ read: jobs, error, onRetry }: Reading<readonly Job[]>) {
  if (error !== null) return <Failure {...{ title: 'Jobs could not be read', error, onRetry }} />;
  if (jobs === undefined) return <p className="health-note">Reading jobs …</p>;
  if (jobs.length === 0) return <p className="health-note">No job has run in this project.</p>;
  return (
    <HealthTable titles={TITLES} hiddenTitle="Stop">
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </HealthTable>
  );
}

function JobRow({ job }: { readonly job: Job }) {
  const project = useProject();
  const { zone } = usePreferences();
  const createdAt = Date.parse(job.created_at);
  return (
    <tr>
      <th scope="row">
        {job.queue_id === null ? (
          <>
            Evaluation by <bdi>{printName(job.metric_name ?? '')}</bdi>
          </>
        ) : (
          <Link to="/p/$project/queues/$queue" params={{ project, queue: job.queue_id }}>
            Stored events of a queue
          </Link>
        )}
      </th>
      <td>
        {job.state}
        {job.reason !== null && `: ${job.reason}`}
      </td>
      <td>{formatCount(job.counts.events)}</td>
      <td>{resultOf(job)}</td>
      <td title={isoTime(createdAt)}>{formatTime(createdAt, zone, Date.now())}</td>
      <td>{job.state === 'running' && <StopButton job={job} />}</td>
    </tr>
  );
}

/** Counts that are not zero, what did not succeed included. */
function resultOf({ queue_id: queue, counts }: Job): string {
  const named =
    queue === null
      ? ([
          ['scored', counts.scored],
          ['failed', counts.failed],
          ['skipped', counts.skipped],
        ] as const)
      : ([
          ['match', counts.matched],
          ['not decided', counts.not_decided],
        ] as const);
  const nonzero = named.filter(([, count]) => count !== undefined && count > 0);
  return nonzero.map(([name, count]) => `${formatCount(count)} ${name}`).join(' · ');
}

function StopButton({ job }: { readonly job: Job }) {
  const project = useProject();
  const client = useQueryClient();
  if (!useMay('metrics:write')) return null;
  const stop = () =>
    void stopJob(project, job.id).then(
      () => client.invalidateQueries({ queryKey: ['jobs', project] }),
      (failure: Error) => notify(`Not stopped: ${failure.message}`),
    );
  return <Button label="Stop" onPress={stop} />;
}
