import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { datapointsOf, removeFromDataset, type Datapoint } from '../../api/datasets.js';
import { useMay } from '../../api/use-session.js';
import { jsonText } from '../../format/json-text.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { previewText } from '../../format/preview.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { notify } from '../../ui/toast.js';
import { DatapointDialog } from './datapoint-dialog.js';

interface Props {
  readonly project: string;
  readonly datasetId: string;
}

/** The datapoints in the order of the dataset, page by page. */
export function Datapoints({ project, datasetId }: Props) {
  const [opened, setOpened] = useState<Datapoint>();
  const queryKey = ['datapoints', project, datasetId];
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => datapointsOf(project, datasetId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
  const { remove } = useRemoval({ project, datasetId }, queryKey);
  if (error !== null)
    return <Failure title="The datapoints could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="datasets-note">Reading datapoints …</p>;
  const datapoints = data.pages.flatMap((page) => page.datapoints);
  const total = data.pages.at(-1)?.total ?? 0;
  return (
    <section aria-label="Datapoints">
      <DatapointTable datapoints={datapoints} onOpen={setOpened} onRemove={remove} />
      <p className="datasets-note">
        {formatCount(datapoints.length)} / {formatCount(total)} datapoints
        {hasNextPage && (
          <Button
            {...{ kind: 'quiet', label: isFetching ? 'Reading …' : 'Show more', isDisabled: isFetching }}
            onPress={() => void fetchNextPage()}
          />
        )}
      </p>
      {opened !== undefined && (
        <DatapointDialog
          key={opened.id}
          {...{ project, datapoint: opened, queryKey }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}

function useRemoval({ project, datasetId }: Props, queryKey: readonly string[]) {
  const client = useQueryClient();
  return {
    remove: ({ id }: Datapoint) =>
      void removeFromDataset(project, datasetId, id).then(
        async () => {
          notify('Removed from the dataset. The datapoint is kept, with the runs that used it.');
          await client.invalidateQueries({ queryKey });
          await client.invalidateQueries({ queryKey: ['datasets', project] });
        },
        (failure: Error) => notify(`Not removed: ${failure.message}`),
      ),
  };
}

interface TableProps {
  readonly datapoints: readonly Datapoint[];
  readonly onOpen: (datapoint: Datapoint) => void;
  readonly onRemove: (datapoint: Datapoint) => void;
}

function DatapointTable({ datapoints, onOpen, onRemove }: TableProps) {
  const mayWrite = useMay('datasets:write');
  return (
    <table className="datasets-table">
      <thead>
        <tr>
          {['Inputs', 'Expected output', 'Source', 'Id'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {datapoints.map((datapoint) => (
          <tr key={datapoint.id}>
            <td>
              <bdi>{textOf(datapoint.inputs)}</bdi>
            </td>
            <td>
              <bdi>{datapoint.ground_truth === null ? '—' : textOf(datapoint.ground_truth)}</bdi>
            </td>
            <td>{datapoint.linked_event === null ? '—' : `event ${datapoint.linked_event.slice(0, 8)}`}</td>
            <td>
              <code>{datapoint.id}</code>
            </td>
            <td>
              <Button
                {...{ kind: 'quiet', label: 'Open' }}
                aria-label={`Open the datapoint ${datapoint.id}`}
                onPress={() => onOpen(datapoint)}
              />
              <Button
                {...{ kind: 'quiet', label: 'Remove', isDisabled: !mayWrite }}
                aria-label={`Remove the datapoint ${datapoint.id}`}
                onPress={() => onRemove(datapoint)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Characters of a value that a row reads. */
const MAX_TEXT = 2_000;

const textOf = (value: unknown) => printName(previewText(jsonText(value).slice(0, MAX_TEXT)) || '{}');
