import { Button } from '../ui/button.js';
import { RangeSelect } from '../ui/range-select.js';
import type { ChartTime } from './use-chart-range.js';

interface Props {
  readonly time: ChartTime;
  readonly onChange: (time: ChartTime) => void;
}

/** The range of charts, and the comparison with the period before. */
export function TimeBar({ time, onChange }: Props) {
  const { range, isCompared } = time;
  return (
    <>
      <RangeSelect range={range} onChange={(next) => onChange({ ...time, range: next })} />
      <Button
        {...{ label: 'Compare with the period before', pressed: isCompared }}
        onPress={() => onChange({ ...time, isCompared: !isCompared })}
      />
    </>
  );
}
