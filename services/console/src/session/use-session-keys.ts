import { useCommands } from '../keyboard/dispatch.js';
import { setPreferences, usePreferences } from '../theme/preferences.js';
import { notify } from '../ui/toast.js';
import type { Cursor } from './use-cursor.js';
import { isError } from './select-steps.js';
import { MODES, PARTS, type SessionView } from './session-view.js';
import type { LoadedSession } from './use-session.js';

interface Keys {
  readonly loaded: LoadedSession;
  readonly view: SessionView;
  readonly cursor: Cursor;
  /** Events whose names contain the query, from top to bottom. */
  readonly matches: readonly number[];
  readonly onMove: (event: number) => void;
  readonly onView: (change: Partial<SessionView>) => void;
  readonly onFind: () => void;
  readonly onZoom: (event: number | undefined) => void;
}

/** The keys of a session: all of them move one cursor, or choose how its event is shown. */
export function useSessionKeys(keys: Keys): void {
  const { loaded, view, cursor, matches, onMove, onView, onFind, onZoom } = keys;
  const { events, layout } = loaded;
  const step = (by: number) => () => {
    const next = cursor.stops[Math.min(Math.max(cursor.stop + by, 0), cursor.stops.length - 1)];
    if (next !== undefined) onMove(next);
  };
  const jump = (direction: 1 | -1, wanted: (event: number) => boolean) => () => {
    const next = findFrom(layout.order, layout.position[cursor.event] ?? 0, direction, wanted);
    if (next !== undefined) reveal(loaded, cursor, next, onMove);
  };
  const typeOf = (event: number) => events.types[events.type[event] ?? -1];
  const isMatch = (event: number) => matches.includes(event);
  const hasMatches = matches.length > 0 && view.mode !== 'raw';
  useCommands({
    stepNext: step(1),
    stepPrevious: step(-1),
    errorNext: jump(1, (event) => isError(events, event)),
    errorPrevious: jump(-1, (event) => isError(events, event)),
    modelNext: jump(1, (event) => typeOf(event) === 'model'),
    modelPrevious: jump(-1, (event) => typeOf(event) === 'model'),
    matchNext: hasMatches ? jump(1, isMatch) : undefined,
    matchPrevious: hasMatches ? jump(-1, isMatch) : undefined,
    parent: () => {
      const above = layout.parent[cursor.event] ?? -1;
      if (above !== -1) reveal(loaded, cursor, above, onMove);
    },
    viewNext: () => onView({ mode: MODES[(MODES.indexOf(view.mode) + 1) % MODES.length] ?? 'chat' }),
    find: onFind,
    markdown: useMarkdownSwitch(),
    zoom: () => onZoom(cursor.event),
    zoomOut: () => onZoom(undefined),
    ...foldKeys(loaded, cursor, onMove),
    ...Object.fromEntries(PARTS.map((part, at) => [`part${String(at + 1)}`, () => onView({ part })])),
  });
}

function useMarkdownSwitch(): () => void {
  const { markdown } = usePreferences();
  return () => {
    setPreferences({ markdown: !markdown });
    notify(markdown ? 'Messages as they were written' : 'Messages formatted');
  };
}

/** Closing what has no open children goes to the parent, and opening what is open goes to the first child, as in every tree. */
function foldKeys({ events, layout }: LoadedSession, cursor: Cursor, onMove: (event: number) => void) {
  const { event, closed, setClosed } = cursor;
  const hasChildren = (one: number) => (layout.size[one] ?? 1) > 1;
  return {
    fold: () => {
      if (hasChildren(event) && !closed.has(event)) return setClosed(new Set([...closed, event]));
      const above = layout.parent[event] ?? -1;
      if (above !== -1) onMove(above);
    },
    unfold: () => {
      if (closed.has(event)) return setClosed(new Set([...closed].filter((one) => one !== event)));
      const child = layout.order[(layout.position[event] ?? 0) + 1];
      if (hasChildren(event) && child !== undefined) onMove(child);
    },
    foldAll: () =>
      setClosed(
        new Set([...events.ids.keys()].filter((one) => hasChildren(one) && layout.parent[one] !== -1)),
      ),
    unfoldAll: () => setClosed(new Set()),
  };
}

/** Moves to an event and opens what it is in. */
function reveal(
  { layout }: LoadedSession,
  cursor: Cursor,
  event: number,
  onMove: (event: number) => void,
): void {
  const open = new Set(cursor.closed);
  for (let at = layout.parent[event] ?? -1; at !== -1; at = layout.parent[at] ?? -1) open.delete(at);
  if (open.size !== cursor.closed.size) cursor.setClosed(open);
  onMove(event);
}

/** The next wanted event in one direction; behind the last one follows the first. */
function findFrom(
  order: Int32Array,
  position: number,
  direction: 1 | -1,
  wanted: (event: number) => boolean,
): number | undefined {
  for (let distance = 1; distance <= order.length; distance++) {
    const event = order[(position + direction * distance + order.length * 2) % order.length];
    if (event !== undefined && wanted(event)) return event;
  }
  return undefined;
}
