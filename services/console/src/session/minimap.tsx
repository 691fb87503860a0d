import { useMemo, useState, type PointerEvent } from 'react';
import { formatDuration } from '../format/duration.js';
import { minimapBuckets } from './minimap-buckets.js';
import { isError } from './select-steps.js';
import type { LoadedSession } from './use-session.js';
import type { TimeWindow } from './waterfall-bar.js';
import './minimap.css';

const BUCKETS = 200;
const HEIGHT = 32;

interface Props {
  readonly loaded: LoadedSession;
  readonly window: TimeWindow;
  /** Undefined: the whole session. */
  readonly onWindow: (window: TimeWindow | undefined) => void;
}

/** How many events run over the time of the session. Dragging shows a part of it in the waterfall; the keys z and Z do so too. */
export function Minimap({ loaded, window, onWindow }: Props) {
  const { events, layout } = loaded;
  const [dragged, setDragged] = useState<readonly [number, number]>();
  const buckets = useMemo(
    () => minimapBuckets(events, layout, { count: BUCKETS, isError: (event) => isError(events, event) }),
    [events, layout],
  );
  const timeAt = (share: number) => layout.from + share * (layout.to - layout.from);
  const end = () => {
    if (dragged !== undefined) {
      const [from, to] = [Math.min(...dragged), Math.max(...dragged)];
      onWindow(to - from < 0.005 ? undefined : { from: timeAt(from), to: timeAt(to) });
    }
    setDragged(undefined);
  };
  const span = Math.max(layout.to - layout.from, 1e-9);
  const range = dragged ?? [(window.from - layout.from) / span, (window.to - layout.from) / span];
  return (
    <div
      className="minimap"
      role="img"
      aria-label={`Events over ${formatDuration(layout.to - layout.from)}, at most ${String(buckets.most)} at a time`}
      title="Drag to zoom"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged([shareAt(event), shareAt(event)]);
      }}
      onPointerMove={(event) => dragged && setDragged([dragged[0], shareAt(event)])}
      onPointerUp={end}
      onPointerCancel={() => setDragged(undefined)}
    >
      <svg viewBox={`0 0 ${String(BUCKETS)} ${String(HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="minimap-running" d={pathOf(buckets.running, buckets.most)} />
        <path className="minimap-error" d={pathOf(buckets.hasError, 8)} />
      </svg>
      {Math.abs(range[1] - range[0]) < 1 && (
        <span
          className="minimap-window"
          style={{
            left: `${String(Math.min(...range) * 100)}%`,
            width: `${String(Math.abs(range[1] - range[0]) * 100)}%`,
          }}
        />
      )}
    </div>
  );
}

function shareAt({ clientX, currentTarget }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(1, Math.max(0, (clientX - left) / width));
}

/** Bars from the bottom, one for each part. */
function pathOf(values: ArrayLike<number>, most: number): string {
  return Array.from(values, (value, at) =>
    value === 0
      ? ''
      : `M${String(at)} ${String(HEIGHT)}v${String(-Math.max(2, (value / Math.max(most, 1)) * (HEIGHT - 4)))}h1V${String(HEIGHT)}z`,
  ).join('');
}
