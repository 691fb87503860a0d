import { Link } from '@tanstack/react-router';
import type { EventRow } from '../../api/events.js';
import { formatCost } from '../../format/cost.js';
import { formatDuration } from '../../format/duration.js';
import { printName } from '../../format/name.js';
import { formatCount, formatTokens } from '../../format/number.js';
import { formatTime, isoTime } from '../../format/time.js';
import { numberAt, valueAt } from '../../list/value-at.js';
import { usePreferences } from '../../theme/preferences.js';
import { useProject } from '../../url/use-project.js';

interface Props {
  readonly label: string;
  readonly row: EventRow;
}

/** Which event a side is, with its numbers and the way to its session. */
export function SideHead({ label, row }: Props) {
  const project = useProject();
  const { zone } = usePreferences();
  const { event_id: id, session_id: session = id, event_name: name = '' } = row;
  const model = valueAt(row, 'config.model');
  const [tokens, cost, events] = ['total_tokens', 'cost', 'num_events'].map((name) =>
    numberAt(row, `metadata.${name}`),
  );
  const facts = [
    row.event_type,
    formatDuration(row.duration),
    ...(typeof model === 'string' ? [printName(model)] : []),
    ...(events === undefined ? [] : [`${formatCount(events)} events`]),
    ...(tokens === undefined ? [] : [`${formatTokens(tokens)} tokens`]),
    ...(cost === undefined ? [] : [formatCost(cost)]),
  ];
  return (
    <div className="two-head">
      <strong>{label}</strong>{' '}
      <Link
        to="/p/$project/sessions/$session"
        params={{ project, session }}
        search={id === session ? {} : { event: id }}
        title={id}
      >
        <bdi>{printName(name)}</bdi>
      </Link>{' '}
      <time title={isoTime(row.start_time)}>{formatTime(row.start_time, zone, Date.now())}</time>{' '}
      <span className="two-facts">{facts.join(' · ')}</span>
      {typeof row.error === 'string' && (
        <span className="two-error">
          ✕ <bdi>{printName(row.error)}</bdi>
        </span>
      )}
    </div>
  );
}
