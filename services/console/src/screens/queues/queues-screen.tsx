import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { kappaText, ProgressBar, useStatistics } from '../../annotation/progress.js';
import { NewQueueDialog } from '../../annotation/new-queue-dialog.js';
import { allQueues, type Queue } from '../../api/queues.js';
import { useMay } from '../../api/use-session.js';
import { formatCount } from '../../format/number.js';
import { printName } from '../../format/name.js';
import { formatTime, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { useProject } from '../../url/use-project.js';
import './queues.css';

/** Queues whose progress is read together: each takes a request. */
const SHOWN = 20;

/** Annotation queues with their progress, newest first. */
export function QueuesScreen() {
  const project = useProject();
  const mayWrite = useMay('queues:write');
  const [visible, setVisible] = useState(SHOWN);
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['queues', project],
    queryFn: ({ signal }) => allQueues(project, signal),
  });
  if (error !== null)
    return <Failure title="The queues could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="queues-note">Reading queues …</p>;
  const { queues } = data;
  const add = mayWrite && <Button icon="plus" label="New queue" onPress={() => setAdding(true)} />;
  return (
    <div className="queues">
      {queues.length === 0 ? (
        <Notice title="No queues yet" actions={add}>
          A queue holds events that people judge. The list of events makes one from its filters, or from the
          rows that you select there.
        </Notice>
      ) : (
        <>
          <p className="queues-note">{add}</p>
          <QueueTable queues={queues.slice(0, visible)} />
          <p className="queues-note">
            {formatCount(Math.min(visible, queues.length))} / {formatCount(queues.length)} queues
            {queues.length > visible && (
              <Button kind="quiet" label="Show more" onPress={() => setVisible(visible + SHOWN)} />
            )}
          </p>
        </>
      )}
      {isAdding && <NewQueueDialog filters={[]} onClose={() => setAdding(false)} />}
    </div>
  );
}

function QueueTable({ queues }: { readonly queues: readonly Queue[] }) {
  return (
    <table className="queues-table">
      <thead>
        <tr>
          {['Name', 'Progress', 'Leased', 'Agreement', 'New events', 'Created'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">Work</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {queues.map((queue) => (
          <QueueRow key={queue.id} queue={queue} />
        ))}
      </tbody>
    </table>
  );
}

function QueueRow({ queue }: { readonly queue: Queue }) {
  const project = useProject();
  const { zone } = usePreferences();
  const { data, error } = useStatistics({ project, queueId: queue.id });
  const createdAt = Date.parse(queue.created_at);
  const params = { project, queue: queue.id };
  const agreements = data?.metrics.filter(({ events }) => events > 0) ?? [];
  return (
    <tr>
      <th scope="row">
        <Link to="/p/$project/queues/$queue" params={params} title={queue.name}>
          <bdi>{printName(queue.name)}</bdi>
        </Link>
      </th>
      <td>
        {data && <ProgressBar counts={data.counts} />}
        {error !== null && <span title={error.message}>could not be read</span>}
      </td>
      <td>{data && formatCount(data.counts.leased)}</td>
      <td className="queues-agreement">
        {agreements.slice(0, 3).map(({ metric, fleiss_kappa: kappa }) => (
          <span key={metric}>
            <bdi>{printName(metric)}</bdi> {kappaText(kappa)}
          </span>
        ))}
        {data && agreements.length === 0 && '—'}
      </td>
      <td>{queue.enabled && queue.filters.filterArray.length > 0 ? 'that match' : 'none'}</td>
      <td title={isoTime(createdAt)}>{formatTime(createdAt, zone, Date.now())}</td>
      <td>
        <Link to="/p/$project/queues/$queue/work" params={params} aria-label={`Work on ${queue.name}`}>
          Work
        </Link>
      </td>
    </tr>
  );
}
