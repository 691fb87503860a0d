import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { kappaText, ProgressBar, useStatistics } from '../../annotation/progress.js';
import { NewQueueDialog } from '../../annotation/new-queue-dialog.js';
import { allQueues, type Queue } from '../../api/queues.js';
import { useMay, useServes } from '../../api/use-session.js';
import { formatCount } from '../../format/number.js';
import { printName } from '../../format/name.js';
import { formatTime, isoTime } from '../../format/time.js';
import { InDataPlane } from '../../plane/in-data-plane.js';
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
  const hasItems = useServes('listQueueEvents');
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
  const add = mayWrite && hasItems && (
    <Button icon="plus" label="New queue" onPress={() => setAdding(true)} />
  );
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
          {!hasItems && <InDataPlane what="Items, progress and agreement" />}
          <QueueTable queues={queues.slice(0, visible)} hasItems={hasItems} />
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

interface TableProps {
  readonly queues: readonly Queue[];
  /** Whether this process has the items of queues. */
  readonly hasItems: boolean;
}

function QueueTable({ queues, hasItems }: TableProps) {
  const titles = hasItems ? ['Progress', 'Leased', 'Agreement'] : [];
  return (
    <table className="queues-table">
      <thead>
        <tr>
          {['Name', ...titles, 'New events', 'Created'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {hasItems && (
            <th scope="col">
              <span className="visually-hidden">Work</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {queues.map((queue) => (
          <QueueRow key={queue.id} queue={queue} hasItems={hasItems} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<TableProps, 'hasItems'> {
  readonly queue: Queue;
}

function QueueRow({ queue, hasItems }: RowProps) {
  const project = useProject();
  const { zone } = usePreferences();
  const createdAt = Date.parse(queue.created_at);
  const params = { project, queue: queue.id };
  return (
    <tr>
      <th scope="row">
        <Link to="/p/$project/queues/$queue" params={params} title={queue.name}>
          <bdi>{printName(queue.name)}</bdi>
        </Link>
      </th>
      {hasItems && <QueueNumbers project={project} queueId={queue.id} />}
      <td>{queue.enabled && queue.filters.filterArray.length > 0 ? 'that match' : 'none'}</td>
      <td title={isoTime(createdAt)}>{formatTime(createdAt, zone, Date.now())}</td>
      {hasItems && (
        <td>
          <Link to="/p/$project/queues/$queue/work" params={params} aria-label={`Work on ${queue.name}`}>
            Work
          </Link>
        </td>
      )}
    </tr>
  );
}

/** How far a queue is, and how annotators agree. */
function QueueNumbers(address: { readonly project: string; readonly queueId: string }) {
  const { data, error } = useStatistics(address);
  const agreements = data?.metrics.filter(({ events }) => events > 0) ?? [];
  return (
    <>
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
    </>
  );
}
