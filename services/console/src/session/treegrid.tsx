import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef } from 'react';
import { formatCost } from '../format/cost.js';
import { formatDuration } from '../format/duration.js';
import { formatTokens, MISSING } from '../format/number.js';
import type { LoadedSession } from './use-session.js';
import { EventName } from './event-name.js';
import { printScore } from './print-score.js';
import { isError } from './select-steps.js';
import type { VisibleRows } from './visible-rows.js';
import { waterfallBar, type TimeWindow } from './waterfall-bar.js';
import './treegrid.css';

const ROW_HEIGHT = 28;
/** Levels that are indented; deeper ones show their depth as a number. */
const MAX_INDENT = 24;

interface Props {
  readonly loaded: LoadedSession;
  readonly rows: VisibleRows;
  /** Row of the cursor; -1 without rows. */
  readonly cursor: number;
  readonly closed: ReadonlySet<number>;
  readonly matches: ReadonlySet<number>;
  readonly window: TimeWindow;
  /** Leaves out the waterfall and all numbers but the duration. */
  readonly narrow?: boolean;
  readonly onMove: (event: number) => void;
  readonly onToggle: (event: number) => void;
  readonly onVisible: (first: number, last: number) => void;
}

/** The events of a session as a tree with a waterfall. Only the rows in view are in the page. */
export function Treegrid(props: Props) {
  const { rows, cursor, narrow, onVisible } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  useEffect(() => {
    if (cursor >= 0) virtual.scrollToIndex(cursor, { align: 'auto' });
  }, [cursor, virtual]);
  const numbers = useNumbers(props);
  const widths = [
    NAME_WIDTH,
    ...(narrow ? [] : [TIME_WIDTH]),
    '72px',
    ...numbers.map((one) => NUMBER_WIDTHS[one]),
  ];
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  useEffect(() => onVisible(startIndex, endIndex), [startIndex, endIndex, onVisible]);
  return (
    <div
      className={`treegrid${narrow ? ' treegrid-narrow' : ''}`}
      role="treegrid"
      aria-label="Events"
      aria-rowcount={rows.events.length + 1}
      aria-activedescendant={cursor >= 0 ? `event-${String(rows.events[cursor])}` : undefined}
      tabIndex={0}
      ref={scroller}
      style={{ '--columns': narrow ? 'minmax(0, 1fr) 72px' : widths.join(' ') } as React.CSSProperties}
    >
      <Head narrow={narrow} numbers={numbers} />
      <div role="rowgroup" style={{ height: virtual.getTotalSize() }} className="treegrid-rows">
        {virtual.getVirtualItems().map(({ index, start }) => (
          <TreeRow key={rows.events[index]} {...props} row={index} top={start} numbers={numbers} />
        ))}
      </div>
    </div>
  );
}

function Head({ narrow, numbers }: Pick<Props, 'narrow'> & { readonly numbers: readonly NumberColumn[] }) {
  return (
    <div className="treegrid-head" role="row" aria-rowindex={1}>
      <span role="columnheader">Event</span>
      {!narrow && <span role="columnheader">Time</span>}
      <span role="columnheader" className="number">
        Duration
      </span>
      {numbers.map((one) => (
        <span key={one} role="columnheader" className="number">
          {NUMBER_TITLES[one]}
        </span>
      ))}
    </div>
  );
}

const NAME_WIDTH = 'minmax(240px, 1.5fr)';
const TIME_WIDTH = 'minmax(100px, 1fr)';
const NUMBER_WIDTHS = { tokens: '60px', cost: '76px', scores: '72px' } as const;
const NUMBER_TITLES = { tokens: 'Tokens', cost: 'Cost', scores: 'Scores' } as const;
type NumberColumn = keyof typeof NUMBER_WIDTHS;

/** The columns that have a value in some row. */
function useNumbers({ loaded: { events }, narrow }: Props): readonly NumberColumn[] {
  return useMemo(() => {
    if (narrow) return [];
    const all: NumberColumn[] = [];
    if (events.tokens.some((value) => value !== null && value !== 0)) all.push('tokens');
    if (events.cost.some((value) => value !== null && value !== 0)) all.push('cost');
    if (Object.values(events.scores).some((scores) => Object.keys(scores).length > 0)) all.push('scores');
    return all;
  }, [events, narrow]);
}

type RowProps = Props & {
  readonly row: number;
  readonly top: number;
  readonly numbers: readonly NumberColumn[];
};

const TreeRow = memo(function TreeRow(props: RowProps) {
  const { loaded, rows, row, top, cursor, narrow, numbers, onMove, onToggle, closed, matches } = props;
  const { events, layout } = loaded;
  const event = rows.events[row] ?? 0;
  const depth = rows.depths[row] ?? 0;
  const hidden = (layout.size[event] ?? 1) - 1;
  const isOpen = !closed.has(event);
  return (
    <div
      id={`event-${String(event)}`}
      role="row"
      className={`tree-row${matches.has(event) ? ' tree-match' : ''}${isError(events, event) ? ' tree-error' : ''}`}
      aria-rowindex={row + 2}
      aria-level={depth + 1}
      aria-selected={row === cursor}
      aria-expanded={hidden > 0 ? isOpen : undefined}
      style={{ transform: `translateY(${String(top)}px)` }}
      onClick={() => onMove(event)}
    >
      <span
        role="gridcell"
        className="tree-name"
        style={{ paddingLeft: Math.min(depth, MAX_INDENT) * 16 + 8 }}
      >
        {depth > MAX_INDENT && <span className="tree-depth">{depth}</span>}
        <Fold count={hidden} isOpen={isOpen} onToggle={() => onToggle(event)} />
        <EventName loaded={loaded} event={event} />
        {hidden > 0 && !isOpen && <span className="tree-more">+{hidden}</span>}
      </span>
      {!narrow && <BarCell {...props} event={event} />}
      <span role="gridcell" className="number">
        {formatDuration(events.duration[event])}
      </span>
      {numbers.map((one) => (
        <NumberCell key={one} column={one} loaded={loaded} event={event} />
      ))}
    </div>
  );
});

interface FoldProps {
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The keys h and l do the same, so that the mark is not a stop of its own. */
function Fold({ count, isOpen, onToggle }: FoldProps) {
  if (count === 0) return <span className="tree-fold" />;
  const toggle = (event: React.MouseEvent) => {
    event.stopPropagation();
    onToggle();
  };
  return (
    <span className={`tree-fold${isOpen ? ' tree-fold-open' : ''}`} aria-hidden="true" onClick={toggle}>
      <svg width="10" height="10" viewBox="0 0 10 10">
        <path d="m3 1 4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.4" />
      </svg>
    </span>
  );
}

interface EventProps {
  readonly loaded: LoadedSession;
  readonly event: number;
}

function BarCell({ loaded, event, window }: RowProps & EventProps) {
  const { left, width, note } = waterfallBar(loaded.events, loaded.layout, event, window);
  const type = loaded.events.types[loaded.events.type[event] ?? -1] ?? '';
  return (
    <span role="gridcell" className="tree-time" title={note}>
      <span
        className={`tree-bar bar-${type}${note === 'running' ? ' bar-running' : ''}`}
        style={{ left: `${String(left * 100)}%`, width: `${String(width * 100)}%` }}
      />
      {note !== undefined && <span className="visually-hidden">{note}</span>}
      {note !== undefined && note !== 'running' && (
        <span className={`tree-odd${left > 0.5 ? ' tree-odd-left' : ''}`} aria-hidden="true">
          {note}
        </span>
      )}
    </span>
  );
}

function NumberCell({ column, loaded: { events }, event }: EventProps & { readonly column: NumberColumn }) {
  if (column === 'scores') return <ScoreCell scores={events.scores[event] ?? {}} />;
  const value = events[column][event];
  return (
    <span role="gridcell" className="number" title={value === null ? undefined : String(value)}>
      {column === 'tokens' ? formatTokens(value) : formatCost(value)}
    </span>
  );
}

function ScoreCell({ scores }: { readonly scores: Readonly<Record<string, unknown>> }) {
  const [first, ...others] = Object.entries(scores);
  const all = Object.entries(scores).map(([name, value]) => `${name} ${printScore(value)}`);
  return (
    <span role="gridcell" className="number" title={all.join('\n')}>
      {first === undefined ? MISSING : printScore(first[1])}
      {others.length > 0 && <span className="tree-more"> +{others.length}</span>}
    </span>
  );
}
