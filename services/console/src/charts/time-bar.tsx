import { Button } from '../ui/button.js';
import { RANGES } from '../url/list-view.js';
import { rangeName } from '../url/range-name.js';
import type { ChartTime } from './use-chart-range.js';

interface Props {
  readonly time: ChartTime;
  readonly onChange: (time: ChartTime) => void;
}

/** The range of charts, and the comparison with the period before. */
export function TimeBar({ time, onChange }: Props) {
  const { range, isCompared } = time;
  const value = typeof range === 'string' ? range : '';
  const names = [...new Set<string>([...RANGES, value])];
  return (
    <>
      <select
        {...{ className: 'input charts-range', 'aria-label': 'Time range', value }}
        onChange={(event) => event.target.value !== '' && onChange({ ...time, range: event.target.value })}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name === '' ? 'the chosen range' : rangeName(name)}
          </option>
        ))}
      </select>
      <Button
        {...{ label: 'Compare with the period before', pressed: isCompared }}
        onPress={() => onChange({ ...time, isCompared: !isCompared })}
      />
    </>
  );
}
