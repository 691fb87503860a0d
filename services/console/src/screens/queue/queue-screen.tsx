import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { BackfillProgress } from '../../annotation/backfill-progress.js';
import { fieldsOf } from '../../annotation/fields.js';
import { filterText } from '../../annotation/guidelines.js';
import { ProgressBar, useStatistics } from '../../annotation/progress.js';
import { metricsOfPeople } from '../../api/metrics.js';
import { backfill, changeQueue, readQueue, removeQueue, type Queue } from '../../api/queues.js';
import { useMay, useServes } from '../../api/use-session.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { InDataPlane } from '../../plane/in-data-plane.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { notify } from '../../ui/toast.js';
import { Agreement } from './agreement.js';
import { QueueItems } from './queue-items.js';
import '../queues/queues.css';

/** One queue: what it asks, how far it is, how annotators agree, and its items. */
export function QueueScreen() {
  const { project, queue: queueId } = useParams({ from: '/p/$project/queues/$queue' });
  const { job, status } = useSearch({ from: '/p/$project/queues/$queue' });
  const { data, error, refetch } = useQuery({
    queryKey: ['queue', project, queueId],
    queryFn: ({ signal }) => readQueue({ project, queueId }, signal),
  });
  const hasItems = useServes('listQueueEvents');
  if (error !== null)
    return <Failure title="The queue could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="queues-note">Reading the queue …</p>;
  return (
    <div className="queue">
      <QueueHead project={project} queue={data} />
      {data.description !== '' && <p className="queue-text">{data.description}</p>}
      <QueueFacts project={project} queue={data} />
      {job !== undefined && <BackfillProgress project={project} jobId={job} />}
      {hasItems ? (
        <>
          <QueueProgress project={project} queueId={queueId} />
          <QueueItems key={status} project={project} queueId={queueId} status={status} />
        </>
      ) : (
        <InDataPlane what="Items, progress and agreement" />
      )}
    </div>
  );
}

/** How far the queue is, and how its annotators agree. */
function QueueProgress({ project, queueId }: { readonly project: string; readonly queueId: string }) {
  const statistics = useStatistics({ project, queueId });
  return (
    <>
      {statistics.error !== null && (
        <Failure
          {...{ title: 'The progress could not be read', error: statistics.error }}
          onRetry={() => void statistics.refetch()}
        />
      )}
      {statistics.data && (
        <>
          <p className="queue-facts">
            <ProgressBar counts={statistics.data.counts} /> {formatCount(statistics.data.counts.skipped)}{' '}
            skipped · {formatCount(statistics.data.counts.leased)} leased ·{' '}
            {formatCount(statistics.data.counts.pending)} open
            {statistics.data.counts.not_arrived > 0 &&
              ` · ${formatCount(statistics.data.counts.not_arrived)} not arrived`}
          </p>
          <Agreement statistics={statistics.data} />
        </>
      )}
    </>
  );
}

function QueueHead({ project, queue }: { readonly project: string; readonly queue: Queue }) {
  const mayWrite = useMay('queues:write');
  const [isDeleting, setDeleting] = useState(false);
  const { toggle, add, remove } = useQueueActions(project, queue);
  const hasFilters = queue.filters.filterArray.length > 0;
  const hasItems = useServes('nextQueueEvent');
  const mayBackfill = useServes('backfillQueue') && mayWrite && hasFilters;
  return (
    <header className="queue-head">
      <h2 title={queue.name}>
        <bdi>{printName(queue.name)}</bdi>
      </h2>
      {hasItems && (
        <Link
          {...{ to: '/p/$project/queues/$queue/work', params: { project, queue: queue.id } }}
          className="button button-primary"
        >
          Start work
        </Link>
      )}
      {mayBackfill && <Button label="Add stored events that match" onPress={add} />}
      {mayWrite && hasFilters && (
        <Button label={queue.enabled ? 'Take no new events' : 'Take new events'} onPress={toggle} />
      )}
      {mayWrite && (
        <Button kind="quiet" icon="trash" label="Delete the queue" onPress={() => setDeleting(true)} />
      )}
      <Dialog title="Delete the queue?" isOpen={isDeleting} onClose={() => setDeleting(false)}>
        <div className="dialog-body">
          <p>Its items can no longer be judged. The events and their scores stay.</p>
          <div className="dialog-actions">
            <Button label="Cancel" onPress={() => setDeleting(false)} />
            <Button kind="danger" icon="trash" label="Delete" onPress={remove} />
          </div>
        </div>
      </Dialog>
    </header>
  );
}

function useQueueActions(project: string, queue: Queue) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const address = { project, queueId: queue.id };
  const failed = (what: string) => (error: Error) => notify(`${what}: ${error.message}`);
  return {
    toggle: () =>
      void changeQueue(address, { enabled: !queue.enabled }).then(
        ({ queue: changed }) => client.setQueryData(['queue', project, queue.id], changed),
        failed('Not changed'),
      ),
    add: () =>
      void backfill(address).then(
        ({ job_id: job }) =>
          navigate({
            to: '/p/$project/queues/$queue',
            params: { project, queue: queue.id },
            search: { job },
          }),
        failed('No events were added'),
      ),
    remove: () =>
      void removeQueue(address).then(async () => {
        await client.invalidateQueries({ queryKey: ['queues', project] });
        await navigate({ to: '/p/$project/queues', params: { project } });
      }, failed('Not deleted')),
  };
}

function QueueFacts({ project, queue }: { readonly project: string; readonly queue: Queue }) {
  const { data } = useQuery({
    queryKey: ['metrics of people', project],
    queryFn: ({ signal }) => metricsOfPeople(project, signal),
  });
  const fields = useMemo(() => fieldsOf(data?.metrics ?? [], queue.metric_ids), [data, queue]);
  const { filterArray } = queue.filters;
  const per = queue.annotations_per_item;
  return (
    <>
      <p className="queue-facts">
        Fields:{' '}
        {fields.map(({ name }) => (
          <code key={name}>{printName(name)}</code>
        ))}
        {data !== undefined && fields.length === 0 && 'none, comments only'}
        {per > 1 && `· ${formatCount(per)} annotators for each event`}
      </p>
      <p className="queue-facts">
        Events:{' '}
        {filterArray.map((filter, at) => (
          <code key={at}>{filterText(filter)}</code>
        ))}
        {filterArray.length === 0 && 'only those that were added'}
        {filterArray.length > 0 && !queue.enabled && '· takes no new events'}
        {queue.not_decided > 0 &&
          `· ${formatCount(queue.not_decided)} not decided: the filters need much work`}
      </p>
      {queue.warnings?.map((warning) => (
        <p key={warning} className="field-error">
          {warning}
        </p>
      ))}
    </>
  );
}
