import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { metricsOfPeople } from '../api/metrics.js';
import { addQueue, backfill, type NewQueue } from '../api/queues.js';
import { formatCount } from '../format/number.js';
import { printName } from '../format/name.js';
import type { WireFilter } from '../url/filters.js';
import { useProject } from '../url/use-project.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import './new-queue-dialog.css';

interface Props {
  /** Conditions of the list that the queue takes over. */
  readonly filters: readonly WireFilter[];
  /** Range of stored events to add. */
  readonly dateRange?: string | Record<string, string>;
  /** Selected events; without these, the queue has those that match. */
  readonly eventIds?: readonly string[];
  readonly onClose: () => void;
}

interface Choices {
  readonly name: string;
  readonly description: string;
  /** Ids of the metrics; undefined: all. */
  readonly metrics: readonly string[] | undefined;
  readonly annotators: string;
  readonly takesNew: boolean;
  readonly addsStored: boolean;
}

const INITIAL: Choices = {
  ...{ name: '', description: '', metrics: undefined, annotators: '1', takesNew: true, addsStored: true },
};

/** Makes a queue of the events that a list shows, or of those that are selected in it. */
export function NewQueueDialog(props: Props) {
  const { filters, eventIds, onClose } = props;
  const [choices, setChoices] = useState(INITIAL);
  const { failure, isPending, create } = useCreation(props);
  const set = (change: Partial<Choices>) => setChoices((before) => ({ ...before, ...change }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void create(choices);
  };
  return (
    <Dialog title="New annotation queue" isOpen onClose={onClose}>
      <form className="dialog-body new-queue" onSubmit={submit}>
        <Field
          {...{ label: 'Name', value: choices.name, required: true, autoFocus: true, maxLength: 200 }}
          onChange={(name) => set({ name })}
        />
        <label className="field">
          <span>Guidelines for annotators</span>
          <textarea
            {...{ className: 'input', rows: 3, maxLength: 1_000, value: choices.description }}
            onChange={(event) => set({ description: event.target.value })}
          />
        </label>
        <MetricChoice chosen={choices.metrics} onChange={(metrics) => set({ metrics })} />
        <Field
          {...{
            label: 'Annotators for each event',
            value: choices.annotators,
            type: 'number',
            min: 1,
            max: 10,
          }}
          onChange={(annotators) => set({ annotators })}
        />
        {eventIds !== undefined && <p>{formatCount(eventIds.length)} selected events.</p>}
        {eventIds === undefined && filters.length > 0 && (
          <FilterChoice {...{ filters, choices }} onChange={set} />
        )}
        <DialogEnd {...{ failure, isPending, onClose }} canCreate={choices.name.trim() !== ''} />
      </form>
    </Dialog>
  );
}

interface EndProps {
  readonly failure: string | undefined;
  readonly isPending: boolean;
  readonly canCreate: boolean;
  readonly onClose: () => void;
}

function DialogEnd({ failure, isPending, canCreate, onClose }: EndProps) {
  return (
    <>
      {failure !== undefined && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <div className="dialog-actions">
        <Button label="Cancel" onPress={onClose} />
        <Button
          {...{ type: 'submit', kind: 'primary', isDisabled: isPending || !canCreate }}
          label={isPending ? 'Creating …' : 'Create the queue'}
        />
      </div>
    </>
  );
}

interface MetricProps {
  readonly chosen: readonly string[] | undefined;
  readonly onChange: (chosen: readonly string[] | undefined) => void;
}

/** Which metrics annotators score. All of them includes those of later. */
function MetricChoice({ chosen, onChange }: MetricProps) {
  const project = useProject();
  const { data, error } = useQuery({
    queryKey: ['metrics of people', project],
    queryFn: ({ signal }) => metricsOfPeople(project, signal),
  });
  const metrics = data?.metrics ?? [];
  const toggle = (id: string) => {
    const now = chosen ?? [];
    const next = now.includes(id) ? now.filter((one) => one !== id) : [...now, id];
    onChange(next.length === 0 ? undefined : next);
  };
  return (
    <fieldset className="new-queue-metrics">
      <legend>Fields</legend>
      {error !== null && <p className="field-error">The metrics could not be read: {error.message}</p>}
      {data !== undefined && metrics.length === 0 && (
        <p>No metric of type HUMAN yet. Annotators can write comments until there is one.</p>
      )}
      <label>
        <input type="checkbox" checked={chosen === undefined} onChange={() => onChange(undefined)} /> every
        metric that people score
      </label>
      {metrics.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" checked={chosen?.includes(id) ?? false} onChange={() => toggle(id)} />{' '}
          <bdi title={name}>{printName(name)}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

interface FilterProps {
  readonly filters: readonly WireFilter[];
  readonly choices: Choices;
  readonly onChange: (change: Partial<Choices>) => void;
}

function FilterChoice({ filters, choices, onChange }: FilterProps) {
  return (
    <fieldset className="new-queue-metrics">
      <legend>Events that match the filters of the list</legend>
      <p className="queue-facts">
        {filters.map(({ field, operator, value }, at) => (
          <code key={at}>{printName([field, operator, String(value ?? '')].join(' '))}</code>
        ))}
      </p>
      <label>
        <input
          {...{ type: 'checkbox', checked: choices.addsStored }}
          onChange={() => onChange({ addsStored: !choices.addsStored })}
        />{' '}
        add the stored ones of the range of the list
      </label>
      <label>
        <input
          {...{ type: 'checkbox', checked: choices.takesNew }}
          onChange={() => onChange({ takesNew: !choices.takesNew })}
        />{' '}
        add new ones as they arrive
      </label>
    </fieldset>
  );
}

function useCreation({ filters, dateRange, eventIds, onClose }: Props) {
  const project = useProject();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  /** A queue that was created before its stored events could be added is not created again. */
  const [created, setCreated] = useState<string>();
  async function create(choices: Choices): Promise<void> {
    setPending(true);
    setFailure(undefined);
    try {
      const id = created ?? (await addQueue(project, bodyOf(choices, filters, eventIds))).queue.id;
      setCreated(id);
      void client.invalidateQueries({ queryKey: ['queues', project] });
      const adds = eventIds === undefined && filters.length > 0 && choices.addsStored;
      const job = adds ? (await backfill({ project, queueId: id }, dateRange)).job_id : undefined;
      onClose();
      await navigate({ to: '/p/$project/queues/$queue', params: { project, queue: id }, search: { job } });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setPending(false);
    }
  }
  return { failure, isPending, create };
}

function bodyOf(choices: Choices, filters: readonly WireFilter[], eventIds?: readonly string[]): NewQueue {
  const { name, description, metrics, annotators, takesNew } = choices;
  const own = eventIds === undefined ? filters : [];
  return {
    ...{ name: name.trim(), description: description.trim(), enabled: takesNew && own.length > 0 },
    annotations_per_item: Number(annotators),
    filters: { filterArray: own as NonNullable<NewQueue['filters']>['filterArray'] },
    ...(metrics && { metric_ids: [...metrics] }),
    ...(eventIds && { event_ids: [...eventIds] }),
  };
}
