import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysOf, type ApiKey } from '../../api/keys.js';
import { useMay, useSignedInProject } from '../../api/use-session.js';
import { formatCount } from '../../format/number.js';
import { printName } from '../../format/name.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { useProject } from '../../url/use-project.js';
import { rightsOf } from './key-rights.js';
import { Moment } from './moment.js';
import { NewKeyDialog } from './new-key-dialog.js';
import { RevokeKeyDialog } from './revoke-key-dialog.js';
import { Secret, type SecretOnce } from './secret.js';

const TITLES = ['Name', 'Rights', 'Created', 'Expires', 'Last use'];

/** The keys of the project: who can do what, since when, and when it was last used. */
export function KeysPart() {
  const project = useProject();
  const mayRead = useMay('keys:read');
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<SecretOnce>();
  const [revoked, setRevoked] = useState<ApiKey>();
  const { data, error, refetch } = useQuery({
    ...{ queryKey: ['keys', project], enabled: mayRead },
    queryFn: ({ signal }) => keysOf(project, signal),
  });
  const keys = data?.data;
  return (
    <section aria-label="Keys">
      <NewKeyButton onPress={() => setAdding(true)} />
      {secret !== undefined && <Secret {...secret} />}
      {!mayRead && (
        <p className="settings-note">
          The key of this session may not read the list of keys (<code>keys:read</code>).
        </p>
      )}
      {error !== null && (
        <Failure {...{ title: 'The keys could not be read', error }} onRetry={() => void refetch()} />
      )}
      {mayRead && error === null && keys === undefined && <p className="settings-note">Reading keys …</p>}
      {keys !== undefined && <KeyTable keys={keys} onRevoke={setRevoked} />}
      {isAdding && <NewKeyDialog onMade={setSecret} onClose={() => setAdding(false)} />}
      {revoked !== undefined && (
        <RevokeKeyDialog
          {...{ revoked, keys: keys ?? [] }}
          onClose={() => {
            setRevoked(undefined);
            setSecret((now) => (now?.id === revoked.key_id ? undefined : now));
          }}
        />
      )}
    </section>
  );
}

function NewKeyButton({ onPress }: { readonly onPress: () => void }) {
  const mayWrite = useMay('keys:write');
  return (
    <p className="settings-actions">
      <Button {...{ kind: 'primary', icon: 'key', label: 'New key', isDisabled: !mayWrite, onPress }} />
      {!mayWrite && (
        <span className="muted">
          The key of this session may not make or revoke keys (<code>keys:write</code>).
        </span>
      )}
    </p>
  );
}

interface TableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, onRevoke }: TableProps) {
  return (
    <>
      <table className="settings-table">
        <thead>
          <tr>
            {TITLES.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.key_id} apiKey={key} onRevoke={onRevoke} />
          ))}
        </tbody>
      </table>
      <p className="settings-note">
        {keys.length === 1 ? '1 key' : `${formatCount(keys.length)} keys`}. Revoking takes effect within 30
        seconds.
      </p>
    </>
  );
}

interface RowProps {
  readonly apiKey: ApiKey;
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyRow({ apiKey, onRevoke }: RowProps) {
  const mayWrite = useMay('keys:write');
  const isOwn = useSignedInProject()?.key_id === apiKey.key_id;
  const { name, permissions, description } = apiKey;
  return (
    <tr>
      <th scope="row" title={description === '' ? name : `${name}: ${description}`}>
        <bdi>{printName(name)}</bdi>
        {isOwn && <span className="muted"> (this session)</span>}
      </th>
      <td title={permissions.length === 0 ? undefined : permissions.join(' ')}>{rightsOf(apiKey)}</td>
      <td>
        <Moment at={apiKey.created_at} />
      </td>
      <td>
        {isExpired(apiKey) && 'expired '}
        <Moment at={apiKey.expires_at} />
      </td>
      <td>
        <Moment at={apiKey.last_used_at} />
      </td>
      <td>
        <Button
          {...{ kind: 'quiet', icon: 'trash', label: 'Revoke', isDisabled: !mayWrite }}
          aria-label={`Revoke ${name}`}
          onPress={() => onRevoke(apiKey)}
        />
      </td>
    </tr>
  );
}

function isExpired({ expires_at: end }: ApiKey): boolean {
  return end !== null && Date.parse(end) <= Date.now();
}
