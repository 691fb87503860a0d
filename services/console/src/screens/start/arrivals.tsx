import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { rejectedRequests, type EventRow, type Rejection } from '../../api/events.js';
import { pageOfNamedEvents } from '../../api/named-sessions.js';
import { getStatus } from '../../api/status.js';
import { rowName } from '../../list/row-name.js';
import { formatCount } from '../../format/number.js';
import { previewText } from '../../format/preview.js';
import { formatTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { useProject } from '../../url/use-project.js';

const EVERY_MS = 2_000;
const RECENT_MS = 60_000;
const SHOWN = 5;

/** Counters, the rejected requests of the last minute, and the newest sessions: all of them change while a person watches. */
export function Arrivals() {
  const project = useProject();
  const status = useQuery({
    queryKey: ['arrival status', project],
    queryFn: ({ signal }) => getStatus(project, signal),
    refetchInterval: EVERY_MS,
  });
  const sessions = useQuery({
    queryKey: ['arrivals', project],
    queryFn: ({ signal }) => newestSessions(project, signal),
    refetchInterval: EVERY_MS,
  });
  const rejections = useQuery({
    queryKey: ['rejections', project],
    queryFn: ({ signal }) => rejectedRequests(project, signal),
    refetchInterval: EVERY_MS,
  });
  const recent = (rejections.data?.rejections ?? []).filter(
    ({ at }) => Date.parse(at) > Date.now() - RECENT_MS,
  );
  const rows = sessions.data?.events ?? [];
  const counted = (name: string) => status.data?.stages.find((stage) => stage.name === name)?.last_5_minutes;
  return (
    <div className="arrivals">
      <p className="arrival-line" role="status">
        <span className={rows.length === 0 ? 'pulse' : 'pulse pulse-on'} aria-hidden="true" />
        {sessions.data === undefined
          ? 'Looking for traces'
          : rows.length === 0
            ? 'Waiting for the first trace'
            : 'Traces arrive'}
        <span className="muted">
          {' '}
          · accepted {formatCount(counted('accepted'))} · stored {formatCount(counted('stored'))} in 5 minutes
        </span>
      </p>
      {recent.length > 0 && <Rejections rejections={recent.slice(0, SHOWN)} />}
      <ul className="arrival-list">
        {rows.slice(0, SHOWN).map((row, index) => (
          <Arrival key={row.event_id} row={row} isFirst={index === 0 && rows.length === 1} />
        ))}
      </ul>
    </div>
  );
}

const newestSessions = (project: string, signal: AbortSignal) =>
  pageOfNamedEvents(
    project,
    {
      filters: [{ field: 'event_type', operator: 'is', value: 'session', type: 'string' }],
      ...{ dateRange: '1d', limit: SHOWN, preview_chars: 200, count: 'none' },
      columns: ['event_id', 'session_id', 'event_name', 'start_time'],
    },
    signal,
  );

/** The very first one takes the focus, unless a person is typing. */
function Arrival({ row, isFirst }: { readonly row: EventRow; readonly isFirst: boolean }) {
  const project = useProject();
  const { zone } = usePreferences();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isFirst && document.activeElement?.tagName !== 'INPUT') link.current?.focus();
  }, [isFirst]);
  return (
    <li className="arrival">
      <span className="muted">{formatTime(row.start_time, zone, Date.now())}</span>
      <strong>
        <bdi>{rowName(row)}</bdi>
      </strong>
      <span className="arrival-text muted">{previewText(row.inputs_preview)}</span>
      <Link
        {...{ ref: link, to: '/p/$project/sessions/$session', search: {} }}
        params={{ project, session: row.session_id ?? row.event_id }}
      >
        Open it
      </Link>
    </li>
  );
}

function Rejections({ rejections }: { readonly rejections: readonly Rejection[] }) {
  const { zone } = usePreferences();
  return (
    <div className="rejections" role="alert">
      <h3>Rejected in the last minute</h3>
      <ul>
        {rejections.map(({ at, route, status, field, message }, index) => (
          <li key={`${at} ${index}`}>
            <span className="muted">{formatTime(Date.parse(at), zone, Date.now())}</span> {route} · {status}
            {field !== null && (
              <>
                {' · '}
                <code>{field}</code>
              </>
            )}
            <br />
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
