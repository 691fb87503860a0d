import type { Status } from '../../api/status.js';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/number.js';
import { formatTime, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';

type Usage = Status['ingest_limits']['project'];

/** How much the project and the key of the session may send, and what the store keeps. */
export function IngestLimits({ status }: { readonly status: Status }) {
  const { ingest_limits: limits, store } = status;
  return (
    <dl className="health-facts">
      <dt>The project may send</dt>
      <dd>{usageOf(limits.project)}</dd>
      <dt>The key that you signed in with may send</dt>
      <dd>{usageOf(limits.key)}</dd>
      <dt>The store keeps</dt>
      <dd>{store === null ? 'everything that has not expired' : <Store store={store} />}</dd>
    </dl>
  );
}

function usageOf(usage: Usage): string {
  const {
    events_per_second: events,
    bytes_per_day: bytes,
    bytes_today: today,
    refused_requests: refused,
  } = usage;
  const facts = [
    ...(events === null ? [] : [`${formatCount(events)} events a second`]),
    ...(bytes === null ? [] : [`${formatBytes(bytes)} a day`]),
  ];
  if (facts.length === 0) return 'without a limit';
  if (bytes !== null && today !== null) facts.push(`${formatBytes(today)} today`);
  if (refused !== null) facts.push(`${formatCount(refused)} requests refused since the start`);
  return facts.join(' · ');
}

function Store({ store }: { readonly store: NonNullable<Status['store']> }) {
  const { zone } = usePreferences();
  const before = store.dropped_before === null ? undefined : Date.parse(store.dropped_before);
  return (
    <>
      {formatBytes(store.max_bytes)}, of which {formatBytes(store.bytes)} are used
      {before !== undefined && (
        <span title={isoTime(before)}>
          Events before {formatTime(before, zone, Date.now())} were dropped:{' '}
          {formatCount(store.dropped_events)} of this project
        </span>
      )}
    </>
  );
}
