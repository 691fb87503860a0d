import type { Rejection } from '../../api/events.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { formatSeconds, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { Failure } from '../../ui/failure.js';
import { HealthTable } from './health-table.js';
import type { Reading } from './reading.js';
import { groupRejections } from './rejection-groups.js';

const TITLES = ['Last', 'Requests', 'Route', 'Status', 'Field', 'Reason', 'Client'];

/** The last 100 rejected requests by their cause. */
export function Rejections({ read: rejections, error, onRetry }: Reading<readonly Rejection[]>) {
  const { zone } = usePreferences();
  if (error !== null)
    return <Failure {...{ title: 'Rejected requests could not be read', error, onRetry }} />;
  if (rejections === undefined) return <p className="health-note">Reading rejected requests …</p>;
  if (rejections.length === 0)
    return <p className="health-note">No request was rejected since the process started.</p>;
  return (
    <HealthTable titles={TITLES}>
      {groupRejections(rejections).map(({ newest, count }) => (
        <tr key={JSON.stringify([newest.route, newest.status, newest.reason, newest.field])}>
          <td title={isoTime(Date.parse(newest.at))}>
            {formatSeconds(Date.parse(newest.at), zone, Date.now())}
          </td>
          <td>{formatCount(count)}</td>
          <td>{newest.route}</td>
          <td>{newest.status}</td>
          <td>{newest.field !== null && <code>{printName(newest.field)}</code>}</td>
          <td className="health-text">
            <bdi>{printName(newest.message)}</bdi>
          </td>
          <td className="health-text">
            {newest.client !== null && <bdi title={newest.client}>{printName(newest.client)}</bdi>}
          </td>
        </tr>
      ))}
    </HealthTable>
  );
}
