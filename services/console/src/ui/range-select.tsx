import { RANGES, type Range } from '../url/list-view.js';
import { rangeName } from '../url/range-name.js';
import './field.css';

interface Props {
  readonly range: Range;
  readonly onChange: (range: string) => void;
}

/** A choice of relative ranges, without the menus of the lists. */
export function RangeSelect({ range, onChange }: Props) {
  const value = typeof range === 'string' ? range : '';
  const names = [...new Set<string>([...RANGES, value])];
  return (
    <select
      {...{ className: 'input range-select', 'aria-label': 'Time range', value }}
      onChange={({ target }) => target.value !== '' && onChange(target.value)}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {name === '' ? 'the chosen range' : rangeName(name)}
        </option>
      ))}
    </select>
  );
}
