import { useCallback, useEffect, useRef, useState } from 'react';
import type { RowView } from './describe-row.js';
import type { DocumentRequest, DocumentView } from './payload-functions.js';
import { payloads } from './payload-client.js';

/** Rows are read in groups of this many, which one request of the worker returns. */
const GROUP = 100;

/** A document of the worker, and the rows of it that the page has seen. */
export interface OpenDocument {
  readonly view: DocumentView | undefined;
  readonly error: Error | undefined;
  readonly rowAt: (row: number) => RowView | undefined;
  /** Reads rows that are missing. */
  readonly show: (from: number, to: number) => void;
  readonly toggle: (row: number) => Promise<void>;
  /** Opens what is around an offset. Returns its row. */
  readonly reveal: (offset: number) => Promise<number>;
  readonly retry: () => void;
}

/** Opens a payload in the worker. What is open stays open while the page moves to another event and back. */
export function useDocument(request: DocumentRequest): OpenDocument {
  const [view, setView] = useState<DocumentView>();
  const [error, setError] = useState<Error>();
  const [groups, setGroups] = useState<ReadonlyMap<number, readonly RowView[]>>(new Map());
  const [attempt, setAttempt] = useState(0);
  const asked = useRef(new Set<number>());
  const latest = useRef(request);
  latest.current = request;
  const key = JSON.stringify(request);
  const forget = useCallback((next: DocumentView) => {
    asked.current = new Set();
    setGroups(new Map());
    setView(next);
  }, []);
  useEffect(() => {
    setView(undefined);
    setError(undefined);
    return openOnce(JSON.parse(key) as DocumentRequest, forget, setError);
  }, [key, attempt, forget]);
  const show = useCallback(
    (from: number, to: number) => {
      for (let group = Math.floor(from / GROUP); group <= Math.floor(to / GROUP); group++) {
        if (asked.current.has(group)) continue;
        const current = asked.current.add(group);
        const range = { from: group * GROUP, to: (group + 1) * GROUP };
        payloads.call('rows', { ...(JSON.parse(key) as DocumentRequest), ...range }).then(
          (rows) => asked.current === current && setGroups((before) => new Map(before).set(group, rows)),
          (failure: unknown) => asked.current === current && setError(failure as Error),
        );
      }
    },
    [key],
  );
  return {
    view,
    error,
    show,
    rowAt: (row) => groups.get(Math.floor(row / GROUP))?.[row % GROUP],
    toggle: async (row) => forget(await payloads.call('toggle', { ...latest.current, row })),
    reveal: async (offset) => {
      const revealed = await payloads.call('reveal', { ...latest.current, offset });
      forget(revealed);
      return revealed.row;
    },
    retry: () => setAttempt((before) => before + 1),
  };
}

/** Opens a payload. Returns how to lose interest in it. */
function openOnce(
  request: DocumentRequest,
  onOpen: (view: DocumentView) => void,
  onError: (error: Error) => void,
): () => void {
  let isCurrent = true;
  payloads.call('open', request).then(
    (opened) => isCurrent && onOpen(opened),
    (failure: unknown) => isCurrent && onError(failure as Error),
  );
  return () => {
    isCurrent = false;
  };
}
