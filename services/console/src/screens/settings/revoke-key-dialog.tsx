import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { revokeKey, type ApiKey } from '../../api/keys.js';
import { sessionQuery, useSignedInProject } from '../../api/use-session.js';
import { printName } from '../../format/name.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { notify } from '../../ui/toast.js';
import { useProject } from '../../url/use-project.js';
import { isOwner } from './key-rights.js';

interface Props {
  readonly revoked: ApiKey;
  /** All keys of the project. */
  readonly keys: readonly ApiKey[];
  readonly onClose: () => void;
}

/** Asks before a key is revoked, and says first whom it locks out: this session, or everybody. */
export function RevokeKeyDialog({ revoked, keys, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const { failure, isPending, revoke } = useRevocation(revoked, onClose);
  const isOwn = useSignedInProject()?.key_id === revoked.key_id;
  const now = Date.now();
  const isLast = isOwner(revoked, now) && keys.filter((key) => isOwner(key, now)).length === 1;
  const needsTyping = isOwn || isLast;
  return (
    <Dialog title={`Revoke the key ${printName(revoked.name)}?`} isOpen onClose={onClose}>
      <div className="dialog-body">
        {isOwn && <p>You are signed in with this key: revoking it signs you out of this project.</p>}
        {isLast && (
          <p>
            It is the last key of the project that may do everything. Without it only the administrator can
            make such a key.
          </p>
        )}
        <p>Clients that use the key get 401 within 30 seconds. This cannot be undone.</p>
        {needsTyping && (
          <Field
            {...{ label: 'Type “revoke” to confirm', value: typed, autoComplete: 'off' }}
            onChange={setTyped}
          />
        )}
        {failure !== undefined && (
          <p className="field-error" role="alert">
            Not revoked: {failure}
          </p>
        )}
        <div className="dialog-actions">
          <Button label="Cancel" onPress={onClose} />
          <Button
            {...{ kind: 'danger', icon: 'trash', label: isPending ? 'Revoking …' : 'Revoke' }}
            isDisabled={isPending || (needsTyping && typed.trim().toLowerCase() !== 'revoke')}
            onPress={() => void revoke()}
          />
        </div>
      </div>
    </Dialog>
  );
}

function useRevocation({ key_id: id, name }: ApiKey, onDone: () => void) {
  const project = useProject();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  async function revoke(): Promise<void> {
    setPending(true);
    setFailure(undefined);
    try {
      await revokeKey(project, id);
      notify(`${printName(name)} is revoked`);
      onDone();
      await client.invalidateQueries({ queryKey: ['keys', project] });
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setPending(false);
    }
  }
  return { failure, isPending, revoke };
}
