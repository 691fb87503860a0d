import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { DatapointRow } from '../api/run-results.js';
import { formatDuration } from '../format/duration.js';
import { formatScore, MISSING } from '../format/number.js';
import { previewText } from '../format/preview.js';
import { changeTone, signed } from './verdict-text.js';
import './datapoint-grid.css';

interface Props {
  readonly rows: readonly DatapointRow[];
  readonly direction: string;
  readonly cursor: number;
  readonly onMove: (row: number) => void;
  /** Called when the last rows come into view. */
  readonly onEnd: () => void;
}

/** The datapoints of both runs, one row each, also those that one run lacks. */
export function DatapointGrid({ rows, direction, cursor, onMove, onEnd }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 30,
    overscan: 8,
  });
  useEffect(() => {
    if (rows.length > 0) virtual.scrollToIndex(cursor, { align: 'auto' });
  }, [cursor, rows.length, virtual]);
  const last = virtual.range?.endIndex ?? 0;
  useEffect(() => {
    if (last >= rows.length - 10) onEnd();
  }, [last, rows.length, onEnd]);
  return (
    <div
      className="datapoints"
      role="grid"
      aria-label="Datapoints"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={rows.length > 0 ? `datapoint-${String(cursor)}` : undefined}
      tabIndex={0}
      ref={scroller}
    >
      <div role="row" className="datapoint-row datapoint-head" aria-rowindex={1}>
        {['Datapoint', 'Input', 'Old output', 'New output', 'Score', 'Δ', 'Δ time'].map((title, at) => (
          <span key={title} role="columnheader" className={at > 3 ? 'number' : undefined}>
            {title}
          </span>
        ))}
      </div>
      <div role="rowgroup" className="datapoint-space" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <Row
            key={index}
            row={rows[index]}
            at={index}
            top={start}
            direction={direction}
            isCurrent={index === cursor}
            onMove={onMove}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: DatapointRow | undefined;
  readonly at: number;
  readonly top: number;
  readonly direction: string;
  readonly isCurrent: boolean;
  readonly onMove: (row: number) => void;
}

const MARKS = { better: '▲', worse: '▼', neutral: '' } as const;

function Row({ row, at, top, direction, isCurrent, onMove }: RowProps) {
  if (row === undefined) return null;
  const { old, new: now, delta } = row;
  const tone = changeTone(delta, direction);
  const time = timeChange(row);
  return (
    <div
      id={`datapoint-${String(at)}`}
      role="row"
      className="datapoint-row"
      aria-rowindex={at + 2}
      aria-selected={isCurrent}
      style={{ transform: `translateY(${String(top)}px)` }}
      onClick={() => onMove(at)}
    >
      <span role="gridcell" className="datapoint-id" title={row.datapoint_id}>
        {row.has_error && <span className="datapoint-error">✕ </span>}
        <bdi>{row.datapoint_id}</bdi>
      </span>
      <Cell text={row.inputs_preview} />
      <Cell text={outputOf(old)} isMissing={old === null} />
      <Cell text={outputOf(now)} isMissing={now === null} />
      <span role="gridcell" className="number">
        {formatScore(old?.score)} → {formatScore(now?.score)}
      </span>
      <span role="gridcell" className={`number verdict-${tone}`}>
        {row.verdict === 'missing' ? 'missing' : `${MARKS[tone]} ${signed(delta)}`}
      </span>
      <span role="gridcell" className="number">
        {time === undefined ? MISSING : `${time > 0 ? '+' : ''}${formatDuration(time)}`}
      </span>
    </div>
  );
}

/** Milliseconds by which the new run took longer; undefined when one of them is unknown. */
function timeChange({ old, new: now }: DatapointRow): number | undefined {
  const [before, after] = [old?.duration ?? null, now?.duration ?? null];
  return before === null || after === null ? undefined : after - before;
}

function outputOf(side: DatapointRow['old']): string | null {
  return side?.error ?? side?.outputs_preview ?? null;
}

function Cell({ text, isMissing }: { readonly text: string | null; readonly isMissing?: boolean }) {
  return (
    <span
      role="gridcell"
      className={isMissing ? 'datapoint-text datapoint-missing' : 'datapoint-text'}
      title={text ?? undefined}
    >
      {isMissing ? 'not in this run' : <bdi>{previewText(text) || MISSING}</bdi>}
    </span>
  );
}
