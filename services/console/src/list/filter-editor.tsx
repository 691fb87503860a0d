import { FILTER_OPERATORS, FILTER_TYPES, type FilterOperator, type FilterType } from '@assay/domain/browser';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { schemaOfEvents } from '../api/events.js';
import { useFieldValues } from '../api/use-field-values.js';
import { useCommands } from '../keyboard/dispatch.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { Panel } from '../ui/panel.js';
import { ValueList } from '../ui/value-list.js';
import { takesNoValue, withFilter } from '../url/filters.js';
import { toDateRange, type ListView } from '../url/list-view.js';
import { useProject } from '../url/use-project.js';
import type { ListKind } from './columns.js';
import { wireFilters } from './rows.js';

interface Props {
  readonly kind: ListKind;
  readonly view: ListView;
  readonly change: (changes: Partial<ListView>) => void;
}

/** Adds a condition: a field, an operator, and a value of those that events have, with how many have it. */
export function FilterEditor(props: Props) {
  const [isOpen, setOpen] = useState(false);
  useCommands({ filterAdd: () => setOpen(true) });
  return (
    <Panel
      {...{ isOpen, onOpenChange: setOpen, label: 'Add a filter' }}
      trigger={<Button icon="plus" label="Filter" />}
    >
      {(close) => <EditorForm {...props} onDone={close} />}
    </Panel>
  );
}

function EditorForm({ kind, view, change, onDone }: Props & { readonly onDone: () => void }) {
  const [field, setField] = useState('');
  const [operator, setOperator] = useState<FilterOperator>('is');
  const [value, setValue] = useState('');
  const [type, setType] = useState<FilterType>();
  const values = useFieldValues(field, value, {
    filters: wireFilters(kind, view),
    dateRange: toDateRange(view.range),
  });
  function add(chosen: string, chosenType: FilterType): void {
    change({ filters: withFilter(view.filters, { field, operator, value: chosen, type: chosenType }) });
    onDone();
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (field !== '') add(takesNoValue(operator) ? '' : value, type ?? typeFor(operator, values.data?.type));
  }
  return (
    <form className="filter-editor" onSubmit={onSubmit}>
      <FieldInput field={field} onChange={setField} />
      <OperatorSelect operator={operator} onChange={setOperator} />
      {!takesNoValue(operator) && (
        <Field label="Value" value={value} autoComplete="off" onChange={setValue} />
      )}
      {!takesNoValue(operator) && (
        <TypeSelect type={type} suggested={typeFor(operator, values.data?.type)} onChange={setType} />
      )}
      {!takesNoValue(operator) && values.data !== undefined && (
        <ValueList
          {...{ label: `Values of ${field}`, values: values.data.values }}
          onChoose={(chosen) => add(chosen, values.data.type)}
        />
      )}
      <Button type="submit" kind="primary" label="Add filter" isDisabled={field === ''} />
    </form>
  );
}

function FieldInput({
  field,
  onChange,
}: {
  readonly field: string;
  readonly onChange: (field: string) => void;
}) {
  const project = useProject();
  const list = useId();
  const schema = useQuery({
    queryKey: ['schema', project],
    queryFn: ({ signal }) => schemaOfEvents(project, signal),
    staleTime: 60_000,
  });
  const names = [...new Set([...OWN_FIELDS, ...(schema.data?.fields ?? []).map(({ name }) => name)])].slice(
    0,
    500,
  );
  return (
    <>
      <Field
        {...{
          label: 'Field',
          value: field,
          list,
          autoFocus: true,
          autoComplete: 'off',
          spellCheck: false,
          onChange,
        }}
        hint="A field, or a path such as metadata.env"
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

const OWN_FIELDS = [
  'event_name',
  'event_type',
  'text',
  'duration',
  'error',
  'session_id',
  'source',
  'metadata.cost',
  'metadata.total_tokens',
];

function OperatorSelect({
  operator,
  onChange,
}: {
  readonly operator: FilterOperator;
  readonly onChange: (operator: FilterOperator) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Operator</label>
      <select
        {...{ id, className: 'input', value: operator }}
        onChange={(event) => onChange(FILTER_OPERATORS.find((one) => one === event.target.value) ?? 'is')}
      >
        {FILTER_OPERATORS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </div>
  );
}

interface TypeProps {
  readonly type: FilterType | undefined;
  readonly suggested: FilterType;
  readonly onChange: (type: FilterType) => void;
}

function TypeSelect({ type, suggested, onChange }: TypeProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Compare as</label>
      <select
        {...{ id, className: 'input', value: type ?? suggested }}
        onChange={(event) => onChange(FILTER_TYPES.find((one) => one === event.target.value) ?? 'string')}
      >
        {FILTER_TYPES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </div>
  );
}

/** The type that the operator needs, else that of the values. */
function typeFor(operator: FilterOperator, ofValues: FilterType | undefined): FilterType {
  if (operator === 'after' || operator === 'before') return 'datetime';
  if (/than/.test(operator)) return 'number';
  if (/contains/.test(operator)) return 'string';
  return ofValues ?? 'string';
}
