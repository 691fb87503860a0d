import { lazy, Suspense, useState } from 'react';
import { useMay } from '../api/use-session.js';
import { useCommands } from '../keyboard/dispatch.js';
import { Button } from '../ui/button.js';
import { toDateRange, type ListView } from '../url/list-view.js';
import type { ListKind } from './columns.js';
import { wireFilters } from './rows.js';

/** Read when it opens: most people who look at a list make no queue. */
const NewQueueDialog = lazy(() =>
  import('../annotation/new-queue-dialog.js').then((module) => ({ default: module.NewQueueDialog })),
);

interface Props {
  readonly kind: ListKind;
  readonly view: ListView;
}

/** Makes an annotation queue of what the list shows. */
export function QueueOfList({ kind, view }: Props) {
  const [isOpen, setOpen] = useState(false);
  const mayWrite = useMay('queues:write');
  useCommands({ queueNew: mayWrite ? () => setOpen(true) : undefined });
  if (!mayWrite) return null;
  return (
    <>
      <Button icon="queues" label="Queue" onPress={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <NewQueueDialog
            filters={wireFilters(kind, view)}
            dateRange={toDateRange(view.range)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Makes an annotation queue of the selected rows. */
export function QueueOfSelection({ eventIds }: { readonly eventIds: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay('queues:write')) return null;
  return (
    <>
      <Button icon="queues" label="Make a queue" onPress={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <NewQueueDialog filters={[]} eventIds={eventIds} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
