import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { settle, type EventRow } from '../api/events.js';
import { deleteSession } from '../api/sessions.js';
import { formatCount } from '../format/number.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { notify } from '../ui/toast.js';
import { useProject } from '../url/use-project.js';

interface Props {
  readonly rows: readonly EventRow[];
  readonly onClose: (isDone: boolean) => void;
}

/** More sessions than this are deleted only after their number was typed. */
const WITHOUT_TYPING = 10;

/** Asks before sessions are deleted, and says when not all of them could be. */
export function DeleteDialog({ rows, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const { deleted, failure, remove } = useDeletion(rows, () => onClose(true));
  const count = String(rows.length);
  const isConfirmed = rows.length <= WITHOUT_TYPING || typed === count;
  const noun = rows.length === 1 ? 'session' : 'sessions';
  const what = `${formatCount(rows.length)} ${noun}`;
  return (
    <Dialog title={`Delete ${what}?`} isOpen onClose={() => onClose(false)}>
      <div className="dialog-body">
        <p>
          All events of these sessions are deleted, including those that arrive later. This cannot be undone.
        </p>
        {rows.length > WITHOUT_TYPING && (
          <Field
            {...{
              label: `Type ${count} to confirm`,
              value: typed,
              autoComplete: 'off',
              inputMode: 'numeric',
            }}
            onChange={setTyped}
          />
        )}
        {failure !== undefined && (
          <p className="field-error" role="alert">
            Not all sessions were deleted: {failure}
          </p>
        )}
        <div className="dialog-actions">
          <Button label="Cancel" onPress={() => onClose(false)} />
          <Button
            {...{ kind: 'danger', icon: 'trash', isDisabled: !isConfirmed || deleted !== undefined }}
            label={deleted === undefined ? `Delete ${what}` : `Deleted ${deleted} of ${count} …`}
            onPress={() => void remove()}
          />
        </div>
      </div>
    </Dialog>
  );
}

/** Deletes sessions one after the other. One that fails ends it; those before it are deleted. */
function useDeletion(rows: readonly EventRow[], onDone: () => void) {
  const project = useProject();
  const client = useQueryClient();
  const [deleted, setDeleted] = useState<number>();
  const [failure, setFailure] = useState<string>();
  async function remove(): Promise<void> {
    setFailure(undefined);
    try {
      for (const [index, { event_id: id }] of rows.entries()) {
        setDeleted(index);
        await deleteSession(project, id);
      }
      notify(`${formatCount(rows.length)} deleted`);
      onDone();
    } catch (error) {
      setDeleted(undefined);
      setFailure(error instanceof Error ? error.message : String(error));
    }
    await settle(project).catch(() => undefined);
    await client.invalidateQueries({ queryKey: ['rows', project] });
  }
  return { deleted, failure, remove };
}
