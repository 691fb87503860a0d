import { formatCost } from '../format/cost.js';
import { formatDuration } from '../format/duration.js';
import { printName } from '../format/name.js';
import { formatCount, formatTokens } from '../format/number.js';
import { formatTime, isoTime } from '../format/time.js';
import { usePreferences } from '../theme/preferences.js';
import type { LoadedSession } from './use-session.js';

/** What a session is, and its sums. */
export function SessionHead({
  sessionId,
  loaded,
}: {
  readonly sessionId: string;
  readonly loaded: LoadedSession;
}) {
  const { zone } = usePreferences();
  const { events, layout } = loaded;
  const { session } = events;
  const name = session === null ? '' : (events.name[0] ?? '');
  const models = events.type.filter((type) => events.types[type] === 'model').length;
  const errors = Object.keys(events.errors).length;
  const at = events.startTime;
  const facts = [
    `${formatCount(events.total)} ${events.total === 1 ? 'event' : 'events'}`,
    formatDuration(session?.duration ?? layout.to - layout.from),
    models === 0 ? '' : `${formatCount(models)} model ${models === 1 ? 'call' : 'calls'}`,
    sumOf(events.tokens, session !== null) === 0
      ? ''
      : `${formatTokens(sumOf(events.tokens, session !== null))} tokens`,
    sumOf(events.cost, session !== null) === 0 ? '' : formatCost(sumOf(events.cost, session !== null)),
  ];
  return (
    <header className="session-head">
      <h2 className="session-name">
        <bdi>{name === '' ? 'Session' : printName(name)}</bdi>
      </h2>
      <code className="session-id" title={sessionId}>
        {sessionId.slice(0, 8)}
      </code>
      <span className="session-facts">{facts.filter((text) => text !== '').join(' · ')}</span>
      {errors > 0 && (
        <span className="session-errors">
          ✕ {formatCount(errors)} {errors === 1 ? 'error' : 'errors'}
        </span>
      )}
      <time className="session-time" dateTime={isoTime(at)} title={isoTime(at)}>
        {formatTime(at, zone, Date.now())}
      </time>
    </header>
  );
}

/** The session has the sum of its events; without it they are added. */
function sumOf(values: readonly (number | null)[], hasSession: boolean): number {
  if (hasSession && values[0] !== null) return values[0] ?? 0;
  return values.reduce<number>((sum, value, row) => sum + (hasSession && row === 0 ? 0 : (value ?? 0)), 0);
}
