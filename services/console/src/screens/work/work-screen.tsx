import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { fieldsOf } from '../../annotation/fields.js';
import { WorkPage } from '../../annotation/work-page.js';
import { metricsOfPeople } from '../../api/metrics.js';
import { readQueue } from '../../api/queues.js';
import { useConsoleSession, useMay } from '../../api/use-session.js';
import { AnnotatorField } from '../../ui/annotator-field.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';

/** Work on one queue, under the name that the session has. */
export function WorkScreen() {
  const { project, queue: queueId } = useParams({ from: '/p/$project/queues/$queue/work' });
  const session = useConsoleSession();
  const annotator = session?.annotator ?? undefined;
  const [isRenaming, setRenaming] = useState(false);
  const may = [useMay('queues:write'), useMay('events:write'), useMay('events:read')].every(Boolean);
  const queue = useQuery({
    queryKey: ['queue', project, queueId],
    queryFn: ({ signal }) => readQueue({ project, queueId }, signal),
  });
  const metrics = useQuery({
    queryKey: ['metrics of people', project],
    queryFn: ({ signal }) => metricsOfPeople(project, signal),
  });
  const fields = useMemo(
    () => fieldsOf(metrics.data?.metrics ?? [], queue.data?.metric_ids),
    [metrics.data, queue.data],
  );
  const { refetch } = metrics;
  const onRefused = useCallback(() => void refetch(), [refetch]);
  const error = queue.error ?? metrics.error;
  // What was typed stays on the screen when a queue that was read before is read again, and was deleted meanwhile.
  if (error !== null && (queue.data === undefined || metrics.data === undefined))
    return (
      <Failure
        {...{ title: 'The queue could not be read', error }}
        onRetry={() => void Promise.all([queue.refetch(), metrics.refetch()])}
      />
    );
  if (!may)
    return (
      <Notice title="This key may not annotate">
        Annotating needs the permissions queues:write, events:write and events:read.
      </Notice>
    );
  if (queue.data === undefined || metrics.data === undefined)
    return <p className="step-loading">Reading the queue …</p>;
  if (annotator === undefined || isRenaming)
    return (
      <div className="work-name-form">
        <AnnotatorField annotator={annotator} onSaved={() => setRenaming(false)} />
      </div>
    );
  return (
    <WorkPage
      key={`${queueId} ${annotator}`}
      {...{ project, queue: queue.data, annotator, fields, onRefused }}
      onRename={(session?.person ?? null) === null ? () => setRenaming(true) : undefined}
    />
  );
}
