import { formatCount } from '../format/number.js';
import './value-list.css';

interface Props {
  /** Whose values these are. */
  readonly label: string;
  readonly values: readonly { readonly value: unknown; readonly count: number }[];
  readonly onChoose: (value: string) => void;
}

/** Values to choose from, each with how many events have it. */
export function ValueList({ label, values, onChoose }: Props) {
  return (
    <ul className="value-list" aria-label={label}>
      {values.map(({ value, count }) => (
        <li key={String(value)}>
          <button type="button" onClick={() => onChoose(String(value))}>
            <bdi className="value-text">{String(value)}</bdi>
            <span className="value-count">{formatCount(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
