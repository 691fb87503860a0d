import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Conversation } from './conversation.js';
import { Detail, usePrefetch } from './detail.js';
import { Minimap } from './minimap.js';
import { SessionFoot } from './session-foot.js';
import { SessionHead } from './session-head.js';
import { SessionTools } from './session-tools.js';
import type { SessionView } from './session-view.js';
import { Treegrid } from './treegrid.js';
import { useCursor, useSelection, type Cursor } from './use-cursor.js';
import { useSessionKeys } from './use-session-keys.js';
import type { LoadedSession } from './use-session.js';
import type { TimeWindow } from './waterfall-bar.js';
import './session-page.css';

interface Props {
  readonly project: string;
  readonly sessionId: string;
  readonly loaded: LoadedSession;
  readonly view: SessionView;
  /** Choices can be undone with Back; moves of the cursor cannot. */
  readonly onView: (change: Partial<SessionView>, options: { readonly replace: boolean }) => void;
  readonly onReadMore: () => void;
}

/** Three views of one cursor, and the event under it. */
export function SessionPage({ project, sessionId, loaded, view, onView, onReadMore }: Props) {
  const { events, layout } = loaded;
  const finder = useRef<HTMLInputElement>(null);
  const [zoom, setZoom] = useState<TimeWindow>();
  const [visible, setVisible] = useState<readonly [number, number]>([0, 0]);
  const selection = useSelection(loaded, view.pills);
  const cursor = useCursor(loaded, view, selection);
  const matches = useMatches(loaded, view.query);
  const onMove = useCallback(
    (event: number) => onView({ event: events.ids[event] }, { replace: true }),
    [onView, events],
  );
  const choose = (change: Partial<SessionView>) => onView(change, { replace: false });
  const onVisible = useCallback((first: number, last: number) => setVisible([first, last]), []);
  useSessionKeys({
    ...{ loaded, view, cursor, matches, onMove, onView: choose },
    onFind: () => finder.current?.focus(),
    onZoom: (event) => setZoom(event === undefined ? undefined : windowOf(loaded, event)),
  });
  const current = useDeferredValue(cursor.event);
  const neighbours = [cursor.stops[cursor.stop + 1], cursor.stops[cursor.stop - 1]].filter(
    (one) => one !== undefined,
  );
  usePrefetch(project, loaded, view.mode === 'chat' ? [] : neighbours);
  const window = zoom ?? { from: layout.from, to: layout.to };
  return (
    <div className={`session-page session-${view.mode}`}>
      <SessionHead sessionId={sessionId} loaded={loaded} />
      <SessionTools
        {...{ view, selection, matches, cursor, onMove, finder }}
        hidden={view.mode === 'chat' ? 0 : cursor.rows.hidden}
        onView={choose}
      />
      <div className="session-panes">
        <MainPane
          {...{ project, loaded, view, cursor, matches, window, onMove, onVisible }}
          onWindow={setZoom}
        />
        <Detail
          {...{ project, loaded }}
          event={current}
          mode={view.mode}
          part={view.part}
          onPart={(part) => choose({ part })}
        />
      </div>
      <SessionFoot loaded={loaded} view={view} cursor={cursor} visible={visible} onReadMore={onReadMore} />
    </div>
  );
}

interface MainProps extends Pick<Props, 'project' | 'loaded' | 'view'> {
  readonly cursor: Cursor;
  readonly matches: readonly number[];
  readonly window: TimeWindow;
  readonly onWindow: (window: TimeWindow | undefined) => void;
  readonly onMove: (event: number) => void;
  readonly onVisible: (first: number, last: number) => void;
}

/** The conversation, or the tree with or without the waterfall. */
function MainPane({
  project,
  loaded,
  view,
  cursor,
  matches,
  window,
  onWindow,
  onMove,
  onVisible,
}: MainProps) {
  const matchSet = useMemo(() => new Set(matches), [matches]);
  const isTree = view.mode === 'tree';
  if (view.mode === 'chat')
    return (
      <section className="session-pane" aria-label="Steps">
        <Conversation {...{ project, loaded, onMove, onVisible }} cursor={cursor.event} />
      </section>
    );
  return (
    <section className="session-pane" aria-label="Tree">
      {isTree && <Minimap {...{ loaded, window, onWindow }} />}
      <Treegrid
        {...{ loaded, window, onMove, onVisible }}
        rows={cursor.rows}
        cursor={cursor.row}
        closed={cursor.closed}
        matches={matchSet}
        narrow={!isTree}
        onToggle={cursor.toggle}
      />
    </section>
  );
}

/** Events whose name, model or error contains the query, from top to bottom. */
function useMatches({ events, layout }: LoadedSession, query: string): readonly number[] {
  return useMemo(() => {
    const wanted = query.trim().toLowerCase();
    if (wanted === '') return [];
    const texts = (event: number) => [
      events.name[event],
      events.model[event],
      events.errors[event],
      events.ids[event],
    ];
    return [...layout.order].filter((event) =>
      texts(event).some((text) => text?.toLowerCase().includes(wanted)),
    );
  }, [events, layout, query]);
}

/** The time of one event, with some room around it. */
function windowOf({ events, layout }: LoadedSession, event: number): TimeWindow | undefined {
  const from = events.start[event] ?? 0;
  const duration = events.duration[event] ?? layout.to - from;
  if (duration <= 0) return undefined;
  const room = duration * 0.05;
  return { from: Math.max(layout.from, from - room), to: Math.min(layout.to, from + duration + room) };
}
