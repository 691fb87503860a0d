import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState, type PointerEvent } from 'react';
import { countsOverTime, type Chart } from '../api/events.js';
import { formatCount } from '../format/number.js';
import { formatSeconds, formatTime } from '../format/time.js';
import { usePreferences } from '../theme/preferences.js';
import { toDateRange, type ListView } from '../url/list-view.js';
import { useProject } from '../url/use-project.js';
import type { ListKind } from './columns.js';
import { wireFilters } from './rows.js';

interface Props {
  readonly kind: ListKind;
  readonly view: ListView;
  readonly change: (changes: Partial<ListView>) => void;
  /** Whether the rows were read, which people look at first: the server reads them without the counts beside them. */
  readonly isDue: boolean;
}

const HEIGHT = 40;
/** Width of the drawing in its own units; it is stretched to the page. */
const WIDTH = 1_000;

/** How many rows each span of time has. Dragging over it chooses the range. */
export function Histogram({ kind, view, change, isDue }: Props) {
  const project = useProject();
  const query = { filters: wireFilters(kind, view), dateRange: toDateRange(view.range) };
  const { data } = useQuery({
    queryKey: ['histogram', project, query],
    queryFn: ({ signal }) => countsOverTime(project, query, signal),
    placeholderData: keepPreviousData,
    enabled: isDue,
  });
  return (
    <div className="histogram">
      {data === undefined ? null : (
        <Bars chart={data} onRange={(from, to) => change({ range: { from: iso(from), to: iso(to) } })} />
      )}
    </div>
  );
}

const iso = (at: number) => new Date(Math.round(at)).toISOString();

function Bars({
  chart,
  onRange,
}: {
  readonly chart: Chart;
  readonly onRange: (from: number, to: number) => void;
}) {
  const { zone } = usePreferences();
  const [from, to] = [Date.parse(chart.from), Date.parse(chart.to)];
  const drag = useDrag((left, right) => onRange(from + left * (to - from), from + right * (to - from)));
  const bars = layOut(chart, from, to);
  const now = Date.now();
  const label = `${formatCount(chart.totalEvents)} between ${formatTime(from, zone, now)} and ${formatTime(to, zone, now)}`;
  return (
    <>
      <svg
        {...{
          role: 'img',
          'aria-label': label,
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          preserveAspectRatio: 'none',
        }}
        {...drag.handlers}
      >
        {bars.map(({ x, width, height, title }) => (
          <rect key={x} {...{ x, width, height, y: HEIGHT - height, className: 'histogram-bar' }}>
            <title>{title}</title>
          </rect>
        ))}
        {drag.range !== undefined && (
          <rect
            {...{ x: drag.range[0] * WIDTH, y: 0, height: HEIGHT, className: 'histogram-drag' }}
            width={(drag.range[1] - drag.range[0]) * WIDTH}
          />
        )}
      </svg>
      <div className="histogram-ends" aria-hidden="true">
        <span>{formatSeconds(from, zone, now)}</span>
        <span>{formatSeconds(to, zone, now)}</span>
      </div>
    </>
  );
}

/** A bar is never invisible: one row in a thousand is still one pixel high. */
function layOut({ events }: Chart, from: number, to: number) {
  const largest = Math.max(1, ...events.map(({ count }) => count));
  return events.flatMap(({ bucket, count }, index) => {
    if (count === 0) return [];
    const start = Date.parse(bucket);
    const next = events[index + 1];
    const end = next === undefined ? to : Date.parse(next.bucket);
    const x = clamp((start - from) / (to - from)) * WIDTH;
    const width = Math.max(2, clamp((end - from) / (to - from)) * WIDTH - x - 1);
    const height = Math.max(1.5, (count / largest) * (HEIGHT - 2));
    return [{ x, width, height, title: `${formatCount(count)} from ${bucket}` }];
  });
}

const clamp = (share: number) => Math.min(1, Math.max(0, share));
/** A shorter drag is a click. */
const MIN_SHARE = 0.005;

/** Shares of the width between which a person drags. */
function useDrag(onEnd: (left: number, right: number) => void) {
  const start = useRef<number>(undefined);
  const [range, setRange] = useState<readonly [number, number]>();
  const shareOf = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return clamp((event.clientX - left) / width);
  };
  return {
    range,
    handlers: {
      onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = shareOf(event);
      },
      onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
        if (start.current === undefined) return;
        const here = shareOf(event);
        setRange([Math.min(start.current, here), Math.max(start.current, here)]);
      },
      onPointerUp: () => {
        start.current = undefined;
        setRange(undefined);
        if (range !== undefined && range[1] - range[0] >= MIN_SHARE) onEnd(...range);
      },
    },
  };
}
