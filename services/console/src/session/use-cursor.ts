import { useMemo, useState } from 'react';
import { conversationSteps } from './conversation-steps.js';
import { stepOf } from './find-step.js';
import { criticalPath, isError, isKeyStep, slowestEvents, type Pill } from './select-steps.js';
import type { SessionView } from './session-view.js';
import type { LoadedSession } from './use-session.js';
import { nearestRow, visibleRows, type VisibleRows } from './visible-rows.js';

/** How many events each pill selects. */
export type PillCounts = Readonly<Record<Pill, number>>;

export interface Selection {
  readonly counts: PillCounts;
  readonly selects: ((event: number) => boolean) | undefined;
}

/** Events that all chosen pills select; undefined when none is chosen. The session is always shown. */
export function useSelection({ events, layout }: LoadedSession, pills: readonly Pill[]): Selection {
  const sets = useMemo(() => {
    const all = [...events.ids.keys()];
    const keys = new Set(all.filter((event) => isKeyStep(events, event)));
    return {
      key: keys,
      errors: new Set(all.filter((event) => isError(events, event))),
      critical: criticalPath(events, layout),
      slow: slowestEvents(events, (event) => keys.has(event)),
    };
  }, [events, layout]);
  return useMemo(() => {
    const { key, errors, critical, slow } = sets;
    const counts = { key: key.size, errors: errors.size, critical: critical.size, slow: slow.size };
    const isSession = (event: number) => event === 0 && events.session !== null;
    const selects = (event: number) => isSession(event) || pills.every((pill) => sets[pill].has(event));
    return { counts, selects: pills.length === 0 ? undefined : selects };
  }, [sets, pills, events]);
}

export interface Cursor {
  /** Event under the cursor. */
  readonly event: number;
  readonly rows: VisibleRows;
  /** Its row in the tree, or that of what is nearest. */
  readonly row: number;
  readonly closed: ReadonlySet<number>;
  readonly toggle: (event: number) => void;
  readonly setClosed: (closed: ReadonlySet<number>) => void;
  /** Events in the order in which the keys visit them. */
  readonly stops: ArrayLike<number>;
  /** Position of the cursor among them. */
  readonly stop: number;
}

/** The cursor of all three views. It names an event, so that it stays where it is while a session grows. */
export function useCursor(loaded: LoadedSession, view: SessionView, selection: Selection): Cursor {
  const { events, layout } = loaded;
  const [closedIds, setClosedIds] = useState<ReadonlySet<string>>(new Set());
  const closed = useMemo(
    () => new Set([...closedIds].flatMap((id) => events.rowOf.get(id) ?? [])),
    [closedIds, events],
  );
  const rows = useMemo(
    () => visibleRows(layout, closed, selection.selects),
    [layout, closed, selection.selects],
  );
  const steps = useMemo(() => conversationSteps(events), [events]);
  const stepEvents = useMemo(() => steps.map(({ event }) => event), [steps]);
  const event = (view.event === undefined ? undefined : events.rowOf.get(view.event)) ?? layout.order[0] ?? 0;
  const row = useMemo(() => nearestRow(rows, layout, event), [rows, layout, event]);
  const setClosed = (next: ReadonlySet<number>) =>
    setClosedIds(new Set([...next].map((one) => events.ids[one] ?? '')));
  const toggle = (one: number) => {
    const next = new Set(closed);
    if (!next.delete(one)) next.add(one);
    setClosed(next);
  };
  const isChat = view.mode === 'chat';
  const stops: ArrayLike<number> = isChat ? stepEvents : rows.events;
  return { event, rows, row, closed, toggle, setClosed, stops, stop: isChat ? stepOf(steps, event) : row };
}
