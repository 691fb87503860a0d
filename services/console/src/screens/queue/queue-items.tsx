import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { itemsOfQueue, type QueueItem } from '../../api/queues.js';
import { formatCount } from '../../format/number.js';
import { previewText } from '../../format/preview.js';
import { formatTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import '../../ui/choices.css';

interface Props {
  readonly project: string;
  readonly queueId: string;
  readonly status: string | undefined;
}

/** Each item comes with its event, so that a page is small. */
const PAGE = 20;
const STATUSES = ['pending', 'leased', 'done', 'skipped'] as const;

/** The items of a queue, oldest first, by their status. */
export function QueueItems({ project, queueId, status }: Props) {
  const navigate = useNavigate();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    queryKey: ['queue items', project, queueId, status, page],
    queryFn: ({ signal }) => itemsOfQueue({ project, queueId }, { status, page, limit: PAGE }, signal),
    placeholderData: keepPreviousData,
  });
  const choose = (one: string | undefined) =>
    void navigate({
      ...{ to: '/p/$project/queues/$queue', params: { project, queue: queueId } },
      search: (before: object) => ({ ...before, status: one }),
    });
  if (error !== null)
    return <Failure title="The items could not be read" error={error} onRetry={() => void refetch()} />;
  const events = data?.events ?? [];
  const total = data?.total ?? 0;
  return (
    <section aria-label="Items">
      <StatusChoice status={status} onChange={choose} />
      <table className="queues-table">
        <thead>
          <tr>
            {['Item', 'Status', 'Annotator', 'Done', 'Note'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map((item) => (
            <ItemRow key={item.event_id} project={project} item={item} />
          ))}
        </tbody>
      </table>
      <p className="queues-note">
        {formatCount(events.length)} / {formatCount(total)} items
        {page > 1 && <Button kind="quiet" label="Before" onPress={() => setPage(page - 1)} />}
        {page * PAGE < total && <Button kind="quiet" label="After" onPress={() => setPage(page + 1)} />}
      </p>
    </section>
  );
}

interface ChoiceProps {
  readonly status: string | undefined;
  readonly onChange: (status: string | undefined) => void;
}

function StatusChoice({ status, onChange }: ChoiceProps) {
  return (
    <div className="segments" role="group" aria-label="Status">
      {[undefined, ...STATUSES].map((one) => (
        <button
          key={one ?? 'all'}
          {...{ type: 'button', className: 'segment', 'aria-pressed': one === status }}
          onClick={() => onChange(one)}
        >
          {one ?? 'all'}
        </button>
      ))}
    </div>
  );
}

function ItemRow({ project, item }: { readonly project: string; readonly item: QueueItem }) {
  const { zone } = usePreferences();
  const session = (item.event as { session_id?: unknown } | undefined)?.session_id;
  const text = previewText(item.preview?.inputs) || item.event_id;
  const doneAt = item.done_at === null ? null : Date.parse(item.done_at);
  const people = item.annotator ?? item.lease?.annotator ?? item.annotators?.join(', ') ?? '—';
  return (
    <tr>
      <td title={item.event_id}>
        {typeof session === 'string' ? (
          <Link
            {...{ to: '/p/$project/sessions/$session', params: { project, session } }}
            search={{ event: item.event_id }}
          >
            <bdi>{text}</bdi>
          </Link>
        ) : (
          `${item.event_id} has not arrived`
        )}
      </td>
      <td>{item.status}</td>
      <td>{people}</td>
      <td>{formatTime(doneAt, zone, Date.now())}</td>
      <td title={item.comment ?? item.reason ?? ''}>
        <bdi>{item.comment ?? item.reason ?? ''}</bdi>
      </td>
    </tr>
  );
}
