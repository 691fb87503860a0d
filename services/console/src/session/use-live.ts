import { useEffect, useRef } from 'react';
import { getStatus, type Status } from '../api/status.js';
import { restAfter } from './live-pace.js';

/** How often the counter is read while the page is visible. */
const POLL_MS = 1_000;

/**
 * Calls `refresh` after events were stored. What is asked every second is one counter of the project; the data themselves only when
 * it has moved.
 */
export function useLive(project: string, refresh: () => Promise<unknown>): void {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    const stop = new AbortController();
    void poll(project, () => latest.current(), stop.signal);
    return () => stop.abort();
  }, [project]);
}

async function poll(project: string, refresh: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  // The first total is news too: events may have been stored since the page was read.
  let known: number | undefined;
  let notBefore = 0;
  while (await nextPoll(signal)) {
    if (document.visibilityState !== 'visible') continue;
    const total = await getStatus(project, signal).then(storedTotal, () => undefined);
    if (total === undefined || total === known || performance.now() < notBefore) continue;
    known = total;
    const started = performance.now();
    await refresh();
    const ended = performance.now();
    notBefore = ended + restAfter(ended - started);
  }
}

/** Returns false when polling has ended. */
function nextPoll(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(!signal.aborted), POLL_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

/** Records of the project that were stored so far; undefined when it is not known. */
function storedTotal({ stages }: Status): number | undefined {
  return stages.find(({ name }) => name === 'stored')?.total;
}
