import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { readDataset, removeDataset, type Dataset } from '../../api/datasets.js';
import { useMay } from '../../api/use-session.js';
import { printName } from '../../format/name.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { notify } from '../../ui/toast.js';
import { Datapoints } from './datapoints.js';
import { RunsOfDataset } from './runs-of-dataset.js';
import '../../datasets/datasets.css';

/** Read when it opens. */
const ImportDialog = lazy(() =>
  import('../../datasets/import/import-dialog.js').then((module) => ({ default: module.ImportDialog })),
);

/** One dataset: the runs that use it, and its datapoints. */
export function DatasetScreen() {
  const { project, dataset: id } = useParams({ from: '/p/$project/datasets/$dataset' });
  const { data, error, refetch } = useQuery({
    queryKey: ['dataset', project, id],
    queryFn: ({ signal }) => readDataset(project, id, signal),
  });
  if (error !== null)
    return <Failure title="The dataset could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="datasets-note">Reading the dataset …</p>;
  if (data === null)
    return <Notice title="There is no such dataset">It was deleted, or belongs to another project.</Notice>;
  return (
    <div className="datasets" role="group" aria-label="Dataset" tabIndex={0}>
      <DatasetHead project={project} dataset={data} />
      <RunsOfDataset project={project} datasetId={id} />
      <Datapoints key={id} project={project} datasetId={id} />
    </div>
  );
}

function DatasetHead({ project, dataset }: { readonly project: string; readonly dataset: Dataset }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('datasets:write');
  const [isDeleting, setDeleting] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const remove = () =>
    void removeDataset(project, dataset.id).then(
      async () => {
        await client.invalidateQueries({ queryKey: ['datasets', project] });
        await navigate({ to: '/p/$project/datasets', params: { project } });
      },
      (error: Error) => notify(`Not deleted: ${error.message}`),
    );
  return (
    <>
      <header className="datasets-head">
        <h2 title={dataset.name}>
          <bdi>{printName(dataset.name)}</bdi>
        </h2>
        <code>{dataset.id}</code>
        {mayWrite && <Button icon="plus" label="Add rows of a file" onPress={() => setImporting(true)} />}
        {mayWrite && (
          <Button kind="quiet" icon="trash" label="Delete the dataset" onPress={() => setDeleting(true)} />
        )}
      </header>
      {dataset.description !== '' && <p className="datasets-note">{dataset.description}</p>}
      {isImporting && (
        <Suspense>
          <ImportDialog {...{ project, datasetId: dataset.id }} onClose={() => setImporting(false)} />
        </Suspense>
      )}
      <Dialog title="Delete the dataset?" isOpen={isDeleting} onClose={() => setDeleting(false)}>
        <div className="dialog-body">
          <p>Its datapoints and the runs that used it stay. New runs can no longer name it.</p>
          <div className="dialog-actions">
            <Button label="Cancel" onPress={() => setDeleting(false)} />
            <Button kind="danger" icon="trash" label="Delete" onPress={remove} />
          </div>
        </div>
      </Dialog>
    </>
  );
}
