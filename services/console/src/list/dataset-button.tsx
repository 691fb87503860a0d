import { lazy, Suspense, useState } from 'react';
import type { Batch } from '../api/datasets.js';
import { useMay } from '../api/use-session.js';
import { Button } from '../ui/button.js';
import { toDateRange, type ListView } from '../url/list-view.js';
import type { ListKind } from './columns.js';
import { wireFilters } from './rows.js';

/** Read when it opens: most people who look at a list make no dataset. */
const AddToDatasetDialog = lazy(() =>
  import('../datasets/add-to-dataset-dialog.js').then((module) => ({ default: module.AddToDatasetDialog })),
);

/** Makes datapoints of the selected rows. */
export function DatasetOfSelection({ eventIds }: { readonly eventIds: readonly string[] }) {
  const events = { checkState: Object.fromEntries(eventIds.map((id) => [id, true])) };
  return <DatasetButton label="Add to a dataset" events={events} />;
}

/** Makes datapoints of everything that matches the filters and the range of the list. */
export function DatasetOfList({ kind, view }: { readonly kind: ListKind; readonly view: ListView }) {
  const events = { selectAll: true, filters: wireFilters(kind, view), dateRange: toDateRange(view.range) };
  return <DatasetButton label="Dataset" events={events} />;
}

interface Props {
  readonly label: string;
  readonly events: Pick<Batch, 'checkState' | 'selectAll' | 'filters' | 'dateRange'>;
}

function DatasetButton({ label, events }: Props) {
  const [isOpen, setOpen] = useState(false);
  const mayDatapoints = useMay('datapoints:write');
  if (!useMay('datasets:write') || !mayDatapoints) return null;
  return (
    <>
      <Button icon="datasets" label={label} onPress={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <AddToDatasetDialog events={events} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
