import { useEffect, useRef, useState } from 'react';
import { tryDraft, type Attempt, type NewMetric } from '../api/metrics.js';
import { bodyOf } from './draft.js';
import type { Definition } from './describe.js';

/** Which events a draft is tried on. */
export type Tried = { readonly eventId: string } | { readonly newest: number };

export type AttemptState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly beganAt: number }
  | { readonly kind: 'failed'; readonly error: Error; readonly criteria: string }
  | { readonly kind: 'done'; readonly attempt: Attempt; readonly criteria: string };

type Request = Parameters<typeof tryDraft>[1];

/** Tries drafts one after the other; a page that closes ends the one that runs. */
export function useAttempt(project: string, metricId: string | undefined) {
  const [state, setState] = useState<AttemptState>({ kind: 'none' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    setState({ kind: 'none' });
  };
  const start = (content: Definition, on: Tried) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'running', beganAt: Date.now() });
    const body: Request = {
      metric: bodyOf(content) as NewMetric & Request['metric'],
      ...(metricId !== undefined && { metric_id: metricId }),
      ...('eventId' in on ? { event_ids: [on.eventId] } : { newest: on.newest }),
    };
    tryDraft(project, body, controller.signal).then(
      (attempt) => {
        if (!controller.signal.aborted) setState({ kind: 'done', attempt, criteria: content.criteria });
      },
      (error: Error) => {
        if (!controller.signal.aborted) setState({ kind: 'failed', error, criteria: content.criteria });
      },
    );
  };
  return { state, start, stop };
}
