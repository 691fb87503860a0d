import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { stepQuery } from '../session/conversation.js';
import { sourceOf } from './item.js';
import type { Worker } from './leases.js';
import { Work } from './work.js';

/** Works on a queue while the screen is shown. The leases of a tab that closes are released. */
export function useWork({ queue, annotator }: Worker) {
  const client = useQueryClient();
  const [work] = useState(
    () =>
      new Work({ queue, annotator }, (item) => {
        if (item.type !== 'session') void client.prefetchQuery(stepQuery(sourceOf(queue.project, item), []));
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
