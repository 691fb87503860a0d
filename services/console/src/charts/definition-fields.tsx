import { FILTER_OPERATORS, FILTER_TYPES } from '@assay/domain/browser';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { schemaOfEvents, type Selection } from '../api/events.js';
import { useFieldValues } from '../api/use-field-values.js';
import { chipText } from '../list/chip-text.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { ValueList } from '../ui/value-list.js';
import { takesNoValue, withFilter, type ListFilter } from '../url/filters.js';
import { useProject } from '../url/use-project.js';
import { BUCKETS, FUNCTIONS, wireFiltersOf, type Bucket, type Definition } from './definition.js';

interface Props {
  readonly definition: Definition;
  /** The range of the chart, as requests have it. */
  readonly dateRange: Selection['dateRange'];
  readonly onChange: (definition: Definition) => void;
}

const BUCKET_NAMES: Readonly<Record<Bucket, string>> = {
  ...{ auto: 'as the range suits', minute: 'minute', five_minute: '5 minutes', hour: 'hour' },
  ...{ day: 'day', week: 'week', month: 'month' },
};

/** What a chart shows: a value, how it is aggregated, its groups and buckets, and which events. */
export function DefinitionFields({ definition, dateRange, onChange }: Props) {
  const { metric, func, group, bucket, filters } = definition;
  const set = (change: Partial<Definition>) => onChange({ ...definition, ...change });
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
        {filters.map((chip, at) => (
          <Button
            key={`${at} ${chipText(chip)}`}
            {...{ kind: 'quiet', icon: 'close', label: chipText(chip) }}
            aria-label={`Remove the filter ${chipText(chip)}`}
            onPress={() => set({ filters: filters.filter((one) => one !== chip) })}
          />
        ))}
      </div>
      <NewFilter
        selection={{ filters: wireFiltersOf(definition), dateRange }}
        onAdd={(filter) => set({ filters: withFilter(filters, filter) })}
      />
    </>
  );
}

const NO_FILTER: ListFilter = { field: '', operator: 'is', value: '', type: 'string' };

interface NewFilterProps {
  /** The events whose values are offered. */
  readonly selection: Selection;
  readonly onAdd: (filter: ListFilter) => void;
}

/** Adds a condition that events have to meet, with a value of those that they have. */
function NewFilter({ selection, onAdd }: NewFilterProps) {
  const [filter, setFilter] = useState(NO_FILTER);
  const field = filter.field.trim();
  const isCompared = !takesNoValue(filter.operator);
  const { data: offered } = useFieldValues(field, filter.value, selection);
  const set = (change: Partial<ListFilter>) => setFilter({ ...filter, ...change });
  const add = (change: Partial<ListFilter>) => {
    onAdd({ ...filter, field, ...change });
    setFilter(NO_FILTER);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add(isCompared ? {} : { value: '' });
  };
  return (
    <form className="chart-fields" onSubmit={submit}>
      <EventField
        label="Only where"
        value={filter.field}
        hint="A field of events"
        onChange={(one) => set({ field: one })}
      />
      <Choice
        {...{ label: 'Operator', value: filter.operator, names: namesOf(FILTER_OPERATORS) }}
        onChange={(name) => set({ operator: FILTER_OPERATORS.find((one) => one === name) ?? 'is' })}
      />
      <Field
        {...{ label: 'Compared with', value: filter.value, autoComplete: 'off' }}
        disabled={!isCompared}
        onChange={(value) => set({ value })}
      />
      <Choice
        {...{ label: 'As', value: filter.type, names: namesOf(FILTER_TYPES) }}
        onChange={(name) => set({ type: FILTER_TYPES.find((one) => one === name) ?? 'string' })}
      />
      <span className="chart-add">
        <Button {...{ type: 'submit', icon: 'plus', label: 'Add filter', isDisabled: field === '' }} />
      </span>
      {isCompared && offered !== undefined && (
        <ValueList
          {...{ label: `Values of ${field}`, values: offered.values }}
          onChoose={(value) => add({ value, type: offered.type })}
        />
      )}
    </form>
  );
}

const namesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));

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
