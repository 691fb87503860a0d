import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { addDataset, createBatch, previewBatch, type Batch, type BatchResult } from '../api/datasets.js';
import { formatCount } from '../format/number.js';
import { useProject } from '../url/use-project.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { notify } from '../ui/toast.js';
import { BatchPreviewTable } from './batch-preview.js';
import { DatasetChoice, type Target } from './dataset-choice.js';
import { FailedEvents } from './failed-events.js';
import { MappingFields } from './mapping-fields.js';
import { mappingOf, NO_MAPPING, type MappingTexts } from './mapping.js';
import { useSettled } from './use-settled.js';
import './datasets.css';

/** The preview follows the mapping when it has not been changed for this time. */
const SETTLED_MS = 300;

interface Props {
  /** Which events: by their ids, or by the filters and the range of a list. */
  readonly events: Pick<Batch, 'checkState' | 'selectAll' | 'filters' | 'dateRange'>;
  readonly onClose: () => void;
}

/** Makes datapoints of events, after it has been seen what they will contain. */
export function AddToDatasetDialog({ events, onClose }: Props) {
  const [texts, setTexts] = useState(NO_MAPPING);
  const [target, setTarget] = useState<Target>({ kind: 'new', name: '' });
  const { body, preview, isCurrent } = usePreview(events, texts);
  const { failure, isPending, result, create } = useCreation(onClose);
  if (result?.failed !== undefined)
    return <FailedEvents created={result.insertedIds.length} failed={result.failed} onClose={onClose} />;
  const absent = preview.data?.coverage.filter(({ found }) => found === 0) ?? [];
  return (
    <Dialog title="Add to a dataset" isOpen wide onClose={onClose}>
      <div className="dialog-body">
        <DatasetChoice target={target} onChange={setTarget} />
        <MappingFields texts={texts} onChange={setTexts} />
        <Problem what="The preview could not be read" text={preview.error?.message} />
        {preview.data !== undefined && <BatchPreviewTable preview={preview.data} />}
        <Problem what="Not added" text={failure} />
        <div className="dialog-actions">
          <Button label="Cancel" onPress={onClose} />
          <AddButton
            key={JSON.stringify(absent)}
            {...{ isPending, total: preview.data?.total ?? 0, hasAbsent: absent.length > 0 }}
            isReady={isNamed(target) && isCurrent}
            onAdd={() => void create(target, body)}
          />
        </div>
      </div>
    </Dialog>
  );
}

function Problem({ what, text }: { readonly what: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="field-error" role="alert">
      {what}: {text}
    </p>
  );
}

/** The preview of the mapping once typing has stopped, and whether that mapping is the present one. */
function usePreview(events: Props['events'], texts: MappingTexts) {
  const project = useProject();
  const asked = useSettled(texts, SETTLED_MS);
  const mapping = mappingOf(asked);
  const body: Batch = { ...events, ...(mapping && { mapping }) };
  const preview = useQuery({
    ...{ queryKey: ['batch preview', project, body], placeholderData: keepPreviousData },
    queryFn: ({ signal }) => previewBatch(project, body, signal),
    retry: false,
  });
  return { body, preview, isCurrent: preview.isSuccess && !preview.isPlaceholderData && asked === texts };
}

const isNamed = (target: Target) => target.kind === 'existing' || target.name.trim() !== '';

interface AddProps {
  readonly total: number;
  readonly isPending: boolean;
  readonly isReady: boolean;
  /** Whether no event has one of the fields. */
  readonly hasAbsent: boolean;
  readonly onAdd: () => void;
}

/** Asks once more when a field is in no event. */
function AddButton({ total, isPending, isReady, hasAbsent, onAdd }: AddProps) {
  const [isAsked, setAsked] = useState(false);
  const what = `${formatCount(total)} ${total === 1 ? 'datapoint' : 'datapoints'}`;
  if (hasAbsent && isAsked)
    return (
      <>
        <span className="field-error">No event has one of the fields.</span>
        <Button
          {...{ kind: 'danger', label: `Add ${what} all the same`, isDisabled: isPending }}
          onPress={onAdd}
        />
      </>
    );
  return (
    <Button
      {...{ kind: 'primary', isDisabled: !isReady || isPending || total === 0 }}
      label={isPending ? 'Adding …' : `Add ${what}`}
      onPress={hasAbsent ? () => setAsked(true) : onAdd}
    />
  );
}

function useCreation(onClose: () => void) {
  const project = useProject();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const [result, setResult] = useState<BatchResult>();
  /** A dataset that was created before its datapoints could be added is not created again. */
  const [made, setMade] = useState<string>();
  async function create(target: Target, body: Batch): Promise<void> {
    setPending(true);
    setFailure(undefined);
    try {
      const id = target.kind === 'existing' ? target.id : (made ?? (await newDataset(project, target.name)));
      if (target.kind === 'new') setMade(id);
      const created = await createBatch(project, { ...body, dataset_id: id });
      await client.invalidateQueries({ queryKey: ['datasets', project] });
      await client.invalidateQueries({ queryKey: ['datapoints', project, id] });
      const count = created.insertedIds.length;
      const what = `${formatCount(count)} ${count === 1 ? 'datapoint' : 'datapoints'}`;
      notify(`${what}${created.redacted === true ? ', with values redacted' : ''}`);
      if (created.failed !== undefined && created.failed.length > 0) return setResult(created);
      onClose();
      await navigate({ to: '/p/$project/datasets/$dataset', params: { project, dataset: id } });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setPending(false);
    }
  }
  return { failure, isPending, result, create };
}

const newDataset = async (project: string, name: string) =>
  (await addDataset(project, { name: name.trim() })).result.insertedId;
