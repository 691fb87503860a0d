import { useQuery } from '@tanstack/react-query';
import { allDataPlanes, type DataPlane } from '../../api/administration.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { Failure } from '../../ui/failure.js';
import { Moment } from './moment.js';
import { SettingsTable } from './settings-table.js';

/** The data planes that may call the control plane with a token of their own. */
export function DataPlanes() {
  const { data, error, refetch } = useQuery({
    queryKey: ['administration', 'data planes'],
    queryFn: ({ signal }) => allDataPlanes(signal),
  });
  if (error !== null)
    return (
      <Failure {...{ title: 'The data planes could not be read', error }} onRetry={() => void refetch()} />
    );
  if (data === undefined) return <p className="settings-note">Reading data planes …</p>;
  if (data.data_planes.length === 0)
    return <p className="settings-note">No data plane has a token of its own.</p>;
  return (
    <SettingsTable titles={['Name', 'Projects', 'State', 'Last seen', 'Token since']}>
      {data.data_planes.map((plane) => (
        <tr key={plane.id}>
          <th scope="row" title={plane.description}>
            <bdi>{printName(plane.name)}</bdi>
          </th>
          <td>{plane.project_ids === null ? 'all' : formatCount(plane.project_ids.length)}</td>
          <td>{stateOf(plane)}</td>
          <td>
            <Moment at={plane.last_seen_at} />
          </td>
          <td>
            <Moment at={plane.rotated_at ?? plane.created_at} />
          </td>
        </tr>
      ))}
    </SettingsTable>
  );
}

function stateOf({ ended_at: ended, previous_token_until: former }: DataPlane): string {
  if (ended !== null) return 'revoked';
  return former === null ? 'active' : 'active, its former token is still valid';
}
