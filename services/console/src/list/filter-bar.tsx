import { useRef, useState, type FormEvent } from 'react';
import { useCommands } from '../keyboard/dispatch.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { isBroken, takesNoValue, withFilter, type FilterChip, type ListFilter } from '../url/filters.js';
import type { ListView } from '../url/list-view.js';
import type { ListKind } from './columns.js';
import { ColumnPicker } from './column-picker.js';
import { chipText } from './chip-text.js';
import { CopyMenu } from './copy-menu.js';
import { FilterEditor } from './filter-editor.js';
import { DatasetOfList } from './dataset-button.js';
import { QueueOfList } from './queue-button.js';
import { RangeMenu } from './range-menu.js';
import { ViewsPanel } from './views-panel.js';

interface Props {
  readonly kind: ListKind;
  readonly view: ListView;
  readonly change: (changes: Partial<ListView>) => void;
}

/** The conditions of a list as chips, one text box, and what else is chosen about it. */
export function FilterBar({ kind, view, change }: Props) {
  const { filters } = view;
  const remove = (chip: FilterChip) => change({ filters: filters.filter((one) => one !== chip) });
  const errors = errorFilter(kind);
  const hasErrors = filters.some((chip) => isSame(chip, errors));
  const toggleErrors = () =>
    change({ filters: hasErrors ? filters.filter((chip) => !isSame(chip, errors)) : [...filters, errors] });
  useCommands({ errorsOnly: toggleErrors, filtersClear: () => change({ filters: [] }) });
  return (
    <div className="filter-bar">
      <SearchBox filters={filters} change={change} />
      <Button icon="error" label="Errors only" pressed={hasErrors} onPress={toggleErrors} />
      <FilterEditor {...{ kind, view, change }} />
      {filters.map((chip, at) => (
        <Chip key={`${at} ${chipText(chip)}`} chip={chip} onRemove={() => remove(chip)} />
      ))}
      {filters.length > 0 && <Button kind="quiet" label="Clear" onPress={() => change({ filters: [] })} />}
      <div className="filter-tools">
        <ViewsPanel kind={kind} view={view} />
        <RangeMenu range={view.range} change={change} />
        <Button icon="live" label="Live" pressed={view.live} onPress={() => change({ live: !view.live })} />
        <ColumnPicker view={view} change={change} />
        <QueueOfList kind={kind} view={view} />
        <DatasetOfList kind={kind} view={view} />
        <CopyMenu kind={kind} view={view} />
      </div>
    </div>
  );
}

/** One box for what inputs or outputs contain. */
function SearchBox({ filters, change }: Pick<Props, 'change'> & { readonly filters: readonly FilterChip[] }) {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  useCommands({ find: () => box.current?.focus() });
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() === '') return;
    setText('');
    const filter = { field: 'text', operator: 'contains', value: text.trim(), type: 'string' } as const;
    change({ filters: withFilter(filters, filter) });
  }
  return (
    <form className="search-box" role="search" onSubmit={onSubmit}>
      <Icon name="search" />
      <input
        {...{
          ref: box,
          value: text,
          placeholder: 'Inputs or outputs contain …',
          'aria-label': 'Search inputs and outputs',
        }}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </form>
  );
}

function Chip({ chip, onRemove }: { readonly chip: FilterChip; readonly onRemove: () => void }) {
  const text = chipText(chip);
  return (
    <span className={isBroken(chip) ? 'chip chip-broken' : 'chip'}>
      {isBroken(chip) ? (
        <span className="chip-text" title="This text is no filter: it is not applied">
          not a filter: {text}
        </span>
      ) : (
        <ChipText {...chip} />
      )}
      <button type="button" className="chip-remove" aria-label={`Remove filter ${text}`} onClick={onRemove}>
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}

function ChipText({ field, operator, value }: ListFilter) {
  return (
    <span className="chip-text" title={`${field} ${operator} ${value}`}>
      {field} <span className="chip-operator">{operator}</span>
      {!takesNoValue(operator) && <strong> {value === '' ? '""' : value}</strong>}
    </span>
  );
}

/** Sessions count the errors of their events. */
function errorFilter(kind: ListKind): ListFilter {
  return kind === 'sessions'
    ? { field: 'metadata.num_errors', operator: 'greater than', value: '0', type: 'number' }
    : { field: 'error', operator: 'exists', value: '', type: 'string' };
}

const isSame = (chip: FilterChip, filter: ListFilter) =>
  !isBroken(chip) &&
  chip.field === filter.field &&
  chip.operator === filter.operator &&
  chip.value === filter.value;
