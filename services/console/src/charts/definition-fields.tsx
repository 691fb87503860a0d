import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { schemaOfEvents } from '../api/events.js';
import { FilterEditor } from '../list/filter-editor.js';
import { chipText } from '../list/chip-text.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { DEFAULT_SORT, type ListView, type Range } from '../url/list-view.js';
import { useProject } from '../url/use-project.js';
import { BUCKETS, FUNCTIONS, type Bucket, type Definition } from './definition.js';

interface Props {
  readonly definition: Definition;
  readonly range: Range;
  readonly onChange: (definition: Definition) => void;
}

const BUCKET_NAMES: Readonly<Record<Bucket, string>> = {
  ...{ auto: 'as the range suits', minute: 'minute', five_minute: '5 minutes', hour: 'hour' },
  ...{ day: 'day', week: 'week', month: 'month' },
};

/** What a chart shows: a value, how it is aggregated, its groups and buckets, and which events. */
export function DefinitionFields({ definition, range, onChange }: Props) {
  const { metric, func, group, bucket, filters } = definition;
  const set = (change: Partial<Definition>) => onChange({ ...definition, ...change });
  const view: ListView = { filters, range, sort: DEFAULT_SORT, columns: [], live: false };
  return (
    <>
      <div className="chart-fields">
        <EventField
          label="Value"
          value={metric}
          hint="A field, or the name of a metric"
          onChange={(one) => set({ metric: one })}
        />
        <Choice
          {...{ label: 'Function', value: func, names: FUNCTIONS_BY_NAME }}
          onChange={(one) => set({ func: one })}
        />
        <EventField
          label="Grouped by"
          value={group}
          hint="Empty: one line"
          onChange={(one) => set({ group: one })}
        />
        <Choice
          {...{ label: 'Buckets', value: bucket, names: BUCKET_NAMES }}
          onChange={(one) => set({ bucket: BUCKETS.find((name) => name === one) ?? 'auto' })}
        />
      </div>
      <div className="charts-note">
        <FilterEditor
          kind="events"
          view={view}
          change={(change) => set({ filters: change.filters ?? filters })}
        />
        {filters.map((chip, at) => (
          <Button
            key={`${at} ${chipText(chip)}`}
            {...{ kind: 'quiet', icon: 'close', label: chipText(chip) }}
            aria-label={`Remove the filter ${chipText(chip)}`}
            onPress={() => set({ filters: filters.filter((one) => one !== chip) })}
          />
        ))}
      </div>
    </>
  );
}

const FUNCTIONS_BY_NAME: Readonly<Record<string, string>> = {
  '': 'as the value suits',
  ...Object.fromEntries(FUNCTIONS.map((name) => [name, name])),
};

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly onChange: (value: string) => void;
}

/** A field of events, with those that events have as suggestions. */
function EventField({ label, value, hint, onChange }: FieldProps) {
  const project = useProject();
  const list = useId();
  const { data } = useQuery({
    ...{ queryKey: ['schema', project], staleTime: 60_000 },
    queryFn: ({ signal }) => schemaOfEvents(project, signal),
  });
  return (
    <>
      <Field {...{ label, value, list, hint, onChange, autoComplete: 'off', spellCheck: false }} />
      <datalist id={list}>
        {(data?.fields ?? []).slice(0, 500).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly names: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, names, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        {!Object.hasOwn(names, value) && <option value={value}>{value}</option>}
        {Object.entries(names).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}
