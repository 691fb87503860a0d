import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { stepQuery } from '../session/conversation.js';
import { LEASE_MS, sourceOf } from './item.js';
import type { Worker } from './leases.js';
import { Work } from './work.js';

/** Works on a queue while the screen is shown. The leases of a tab that closes are released. */
export function useWork({ queue, annotator }: Worker) {
  const client = useQueryClient();
  const [work] = useState(
    () =>
      new Work({ queue, annotator }, (item) => {
        if (item.type === 'session') return;
        const step = stepQuery(sourceOf(queue.project, item), []);
        // It is kept as long as its lease: a person may take minutes over the item before it.
        void client.prefetchQuery({ ...step, gcTime: LEASE_MS });
      }),
  );
  const state = useSyncExternalStore(work.subscribe, work.state);
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && work.start();
    const onHide = () => work.stop();
    work.start();
    window.addEventListener('pagehide', onHide);
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('pagehide', onHide);
      window.removeEventListener('pageshow', onShow);
      work.stop();
    };
  }, [work]);
  return { work, state };
}

/** The time, each second while something counts down. */
export function useNow(isCounting: boolean, onTick: (now: number) => void): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
      onTick(Date.now());
    }, 1_000);
    return () => clearInterval(timer);
  }, [isCounting, onTick]);
  return now;
}
