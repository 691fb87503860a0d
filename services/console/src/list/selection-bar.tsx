import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '../format/number.js';
import { useMay } from '../api/use-session.js';
import { Button } from '../ui/button.js';
import { useProject } from '../url/use-project.js';
import type { ListKind } from './columns.js';
import { DatasetOfSelection } from './dataset-button.js';
import { DeleteDialog } from './delete-dialog.js';
import { ExportButton } from './export-button.js';
import { QueueOfSelection } from './queue-button.js';
import type { Selection } from './use-selection.js';

interface Props {
  readonly kind: ListKind;
  readonly selection: Selection;
}

/** Two rows side by side: the earlier one is the old one. */
function CompareTwo({ rows }: Pick<Selection, 'rows'>) {
  const project = useProject();
  const [old, now, ...more] = rows.toSorted((a, b) => (a.start_time ?? 0) - (b.start_time ?? 0));
  if (old === undefined || now === undefined || more.length > 0) return null;
  return (
    <Link
      {...{ to: '/p/$project/diff/$a/$b', className: 'button' }}
      params={{ project, a: old.event_id, b: now.event_id }}
    >
      Compare side by side
    </Link>
  );
}

/** What can be done with the selected rows. */
export function SelectionBar({ kind, selection }: Props) {
  const [isDeleting, setDeleting] = useState(false);
  const mayDelete = useMay('events:delete');
  const { rows, clear } = selection;
  const count = formatCount(rows.length);
  const ids = rows.map(({ event_id: id }) => id);
  return (
    <div className="selection-bar" role="region" aria-label="Selected rows">
      <span>{count} selected</span>
      <ExportButton kind={kind} rows={rows} />
      <CompareTwo rows={rows} />
      <QueueOfSelection eventIds={ids} />
      <DatasetOfSelection eventIds={ids} />
      {kind === 'sessions' && mayDelete && (
        <Button
          {...{ kind: 'danger', icon: 'trash', onPress: () => setDeleting(true) }}
          label={`Delete ${count} ${rows.length === 1 ? 'session' : 'sessions'}`}
        />
      )}
      <Button kind="quiet" label="Clear selection" onPress={clear} />
      {isDeleting && (
        <DeleteDialog
          rows={rows}
          onClose={(isDone) => {
            setDeleting(false);
            if (isDone) clear();
          }}
        />
      )}
    </div>
  );
}
