import { useId, useState } from 'react';
import { isBroken, parseFilter, printFilter, toWireFilter, type ListFilter } from '../url/filters.js';
import { printName } from '../format/name.js';
import type { Definition } from './describe.js';

type Filters = Definition['filters']['filterArray'];

interface Props {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The filters of a metric, one in a line, as addresses of lists have them. A line that is no filter is said, and not applied. */
export function FilterLines({ filters, onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState(() => printLines(filters));
  const lines = typed.split('\n').filter((line) => line.trim() !== '');
  const broken = lines.map((line) => parseFilter(line.trim())).filter(isBroken);
  const change = (text: string) => {
    setTyped(text);
    const chips = text.split('\n').map((line) => parseFilter(line.trim()));
    onChange(chips.flatMap((chip) => (isBroken(chip) ? [] : [toWireFilter(chip)])));
  };
  return (
    <div className="field evaluator-filters">
      <label htmlFor={id}>Filters, one in a line; all have to match</label>
      <textarea
        {...{ id, className: 'input', rows: 2, value: typed, spellCheck: false, dir: 'ltr' }}
        {...{ 'aria-describedby': `${id}-note`, 'aria-invalid': broken.length > 0 }}
        placeholder="event_type:is:model"
        onChange={(event) => change(event.target.value)}
      />
      <p id={`${id}-note`} className={broken.length > 0 ? 'field-error' : 'field-hint'}>
        {broken.length > 0
          ? `Not a filter, and not applied: ${broken.map((one) => printName(one.broken)).join(' · ')}`
          : 'As the addresses of lists have them, such as metadata.env:is:prod'}
      </p>
    </div>
  );
}

function printLines(filters: Filters): string {
  return filters
    .map(({ field, operator = 'is', value, type = 'string' }) =>
      printFilter({ field, operator, type, value: textOf(value) } as ListFilter),
    )
    .join('\n');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
