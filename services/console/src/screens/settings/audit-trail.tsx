import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditTrail, type AuditEntry } from '../../api/administration.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { Moment } from './moment.js';
import { SettingsTable } from './settings-table.js';

const TITLES = ['Time', 'Action', 'Who', 'Project', 'Subject', 'Fields', 'Address'];

/** Who has changed what, newest first. Entries name fields, never their values. */
export function AuditTrail() {
  const [action, setAction] = useState('');
  const wanted = action.trim() === '' ? undefined : action.trim();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['administration', 'audit', wanted],
    queryFn: ({ signal, pageParam }) => auditTrail({ action: wanted, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <div className="settings-actions">
        <Field
          {...{
            label: 'Only this action',
            value: action,
            placeholder: 'metric.deployed',
            onChange: setAction,
          }}
        />
      </div>
      {error !== null && (
        <Failure {...{ title: 'The audit trail could not be read', error }} onRetry={() => void refetch()} />
      )}
      {data !== undefined && entries.length === 0 && <p className="settings-note">No entries.</p>}
      {entries.length > 0 && (
        <SettingsTable titles={TITLES}>
          {entries.map((entry, at) => (
            <EntryRow key={`${entry.at} ${at}`} entry={entry} />
          ))}
        </SettingsTable>
      )}
      <p className="settings-actions">
        {formatCount(entries.length)} entries
        {hasNextPage && (
          <Button
            {...{ label: isFetching ? 'Reading …' : 'Show older', isDisabled: isFetching }}
            onPress={() => void fetchNextPage()}
          />
        )}
      </p>
    </>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const { action, actor, actor_id: actorId, identity, fields, address, data_plane_id: dataPlane } = entry;
  return (
    <tr>
      <td>
        <Moment at={entry.at} />
      </td>
      <th scope="row">{action}</th>
      <td title={actorId ?? undefined}>
        {actorId === null ? actor : `${actor} ${actorId}`}
        {identity !== null && <bdi>, {printName(identity)} by the proxy</bdi>}
      </td>
      <td>{entry.project_id ?? '—'}</td>
      <td title={entry.subject_id}>{printName(entry.subject_id)}</td>
      <td title={fields.join(' ')}>{printName(fields.join(' ') || '—')}</td>
      <td title={dataPlane === null ? undefined : `by the data plane ${dataPlane}`}>{address ?? '—'}</td>
    </tr>
  );
}
