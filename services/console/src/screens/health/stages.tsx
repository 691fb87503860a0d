import type { Status } from '../../api/status.js';
import { formatDuration } from '../../format/duration.js';
import { formatCount } from '../../format/number.js';
import { formatSeconds, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { HealthTable } from './health-table.js';

const TITLES = ['Stage', 'Last 5 minutes', 'Last hour', 'Wait', 'Oldest waits', 'Counted'];

/** What each stage has done, and what waits for it. */
export function Stages({ status: { stages, since, now } }: { readonly status: Status }) {
  const { zone } = usePreferences();
  return (
    <>
      <HealthTable titles={TITLES}>
        {stages.map((stage) => (
          <tr key={stage.name}>
            <th scope="row">{stage.name}</th>
            <td>{formatCount(stage.last_5_minutes)}</td>
            <td>{formatCount(stage.last_hour)}</td>
            <td>{formatCount(stage.lag_records)}</td>
            <td>{formatDuration(stage.lag_seconds === null ? null : stage.lag_seconds * 1_000)}</td>
            <td>{stage.scope === 'project' ? 'this project' : 'all projects'}</td>
          </tr>
        ))}
      </HealthTable>
      {since !== null && (
        <p className="health-note">
          Counted since{' '}
          <span title={isoTime(Date.parse(since))}>
            {formatSeconds(Date.parse(since), zone, Date.parse(now))}
          </span>
          , when the process started.
        </p>
      )}
    </>
  );
}
