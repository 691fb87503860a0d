import { useEffect, useRef, useState } from 'react';
import type { EventPage, EventRow, PageRequest } from '../api/events.js';
import { pageOfNamedEvents } from '../api/named-sessions.js';
import { getStatus, storedTotal } from '../api/status.js';
import type { ListView } from '../url/list-view.js';
import { pageRequest } from './rows.js';
import type { ListKind } from './columns.js';

/** How often the counter of stored records is read, while the tab is visible. */
const LOOK_MS = 1_000;
/** Rows are read at most this often, and no more than a twentieth of the time is spent on it. */
const READ_MS = 3_000;
const SHARE = 20;
/** Rows that arrived live and are kept above the pages. */
const MAX_LIVE = 500;
const NONE: readonly EventRow[] = [];

/** Returns the rows that arrived since the first page was read, newest first, while the view is live. */
export function useLiveRows(
  project: string,
  kind: ListKind,
  view: ListView,
  firstPage: EventPage | undefined,
): readonly EventRow[] {
  const [rows, setRows] = useState<readonly EventRow[]>(NONE);
  const after = firstPage?.newest_cursor;
  const latest = useRef(view);
  latest.current = view;
  useEffect(() => setRows(NONE), [firstPage]);
  useEffect(() => {
    if (!view.live || after === null || after === undefined) return undefined;
    const stop = new AbortController();
    const add = (page: EventPage) =>
      setRows((before) =>
        page.events.length === 0 ? before : [...page.events, ...before].slice(0, MAX_LIVE),
      );
    const request = () => pageRequest(kind, latest.current);
    void follow({ project, request, cursor: after, add, signal: stop.signal });
    return () => stop.abort();
  }, [project, kind, view.live, after]);
  return view.live ? rows : NONE;
}

interface Follow {
  readonly project: string;
  /** The request of the list as it is now. */
  readonly request: () => PageRequest;
  readonly cursor: string;
  readonly add: (page: EventPage) => void;
  readonly signal: AbortSignal;
}

/** Reads what is newer whenever the counter has moved, until the signal. A failed look is repeated with the next one. */
async function follow({ project, request, cursor, add, signal }: Follow): Promise<void> {
  let after = cursor;
  let seen: number | undefined;
  let notBefore = 0;
  for (;;) {
    await pause(LOOK_MS, signal);
    if (signal.aborted) return;
    if (document.hidden || performance.now() < notBefore) continue;
    const total = await getStatus(project, signal).then(storedTotal, () => seen);
    if (total === seen && total !== undefined) continue;
    const startedAt = performance.now();
    const page = await pageOfNamedEvents(project, { ...request(), after, count: 'none' }, signal).catch(
      () => undefined,
    );
    if (signal.aborted) return;
    if (page !== undefined) {
      seen = total;
      after = page.newest_cursor ?? after;
      add(page);
    }
    const took = performance.now() - startedAt;
    notBefore = performance.now() + Math.max(READ_MS, SHARE * took);
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
