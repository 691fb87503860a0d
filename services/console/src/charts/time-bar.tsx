import { RangeMenu } from '../list/range-menu.js';
import { Button } from '../ui/button.js';
import type { ChartTime } from './use-chart-range.js';

interface Props {
  readonly time: ChartTime;
  readonly onChange: (time: ChartTime) => void;
}

/** The range of charts, and the comparison with the period before. */
export function TimeBar({ time, onChange }: Props) {
  return (
    <>
      <RangeMenu
        range={time.range}
        change={({ range }) => range !== undefined && onChange({ ...time, range })}
      />
      <Button
        {...{ label: 'Compare with the period before', pressed: time.isCompared }}
        onPress={() => onChange({ ...time, isCompared: !time.isCompared })}
      />
    </>
  );
}
