import { useCallback, useMemo, useRef, useState } from 'react';
import type { EventRow } from '../api/events.js';

export interface Selection {
  readonly rows: readonly EventRow[];
  readonly ids: ReadonlySet<string>;
  readonly toggle: (row: EventRow, index: number, isRange: boolean) => void;
  readonly clear: () => void;
}

/** The rows that a person has selected, by id: rows that are read later change nothing. */
export function useSelection(rows: readonly EventRow[]): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, EventRow>>(new Map());
  const anchor = useRef<number>(undefined);
  const latest = useRef(rows);
  latest.current = rows;
  const toggle = useCallback((row: EventRow, index: number, isRange: boolean) => {
    setChosen((before) => {
      const next = new Map(before);
      if (isRange && anchor.current !== undefined) {
        const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
        for (const one of latest.current.slice(from, to + 1)) next.set(one.event_id, one);
      } else if (!next.delete(row.event_id)) next.set(row.event_id, row);
      return next;
    });
    if (!isRange) anchor.current = index;
  }, []);
  const clear = useCallback(() => setChosen(new Map()), []);
  return useMemo(
    () => ({ rows: [...chosen.values()], ids: new Set(chosen.keys()), toggle, clear }),
    [chosen, toggle, clear],
  );
}
