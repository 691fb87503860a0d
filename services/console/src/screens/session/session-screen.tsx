import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { treeOfSession } from '../../api/sessions.js';
import { formatDuration } from '../../format/duration.js';
import { formatCount } from '../../format/number.js';
import { Failure } from '../../ui/failure.js';
import './session.css';

/** More rows than this need a virtual list. */
const LISTED = 200;

/** The events of a session in the order of their start. */
export function SessionScreen() {
  const { project, session } = useParams({ from: '/p/$project/sessions/$session' });
  const query = useQuery({
    queryKey: ['tree', project, session],
    queryFn: ({ signal }) => treeOfSession(project, session, signal),
  });
  if (query.error !== null)
    return (
      <Failure
        title="The session could not be read"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  if (query.data === undefined) return <p className="session-note">Reading the session …</p>;
  const { names, types, events, total } = query.data;
  return (
    <div className="session-screen">
      <h2>{query.data.session?.event_name ?? session}</h2>
      <p className="session-note">
        {formatCount(Math.min(events.name.length, LISTED))} / {formatCount(total)} events
      </p>
      <ol className="session-events">
        {events.name.slice(0, LISTED).map((name, row) => (
          <li key={row}>
            <span>{names[name]}</span> <span className="muted">{types[events.type[row] ?? 0]}</span>{' '}
            <span>{formatDuration(events.duration[row])}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
