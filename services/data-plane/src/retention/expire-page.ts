import { randomUUID } from 'node:crypto';
import type { ControlPlane } from '@assay/control-plane-client';
import type { EventKey, StatesPort, WriterPort, ExpiredCursor, ExpiredRow } from '@assay/event-store';
import { eventKey } from '@assay/log-readers';
import type { Logger } from '@assay/runtime';
import { MAX_VERSION } from '../shared/log-versions.js';
import type { ExpiryScan } from './expiry-scans.js';

export interface ExpirePageDeps {
  readonly store: { readonly states: StatesPort; readonly writer: WriterPort };
  readonly controlPlane: Pick<ControlPlane, 'removeExpired'>;
  /** Drops what this process has in memory of events, by `projectId/eventId`. */
  readonly forgetEvents: (keys: readonly string[]) => void;
  /** Forwards the summaries of sessions that have lost events; absent: nothing reads them. */
  readonly forwardSummaries?: (sessions: readonly EventKey[]) => Promise<unknown>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What a page of a pass has done. */
export interface ExpiredCounts {
  readonly events: number;
  /** Those of them that started before the pass before this one had ended. */
  readonly late: number;
  /** Expired events that the project keeps. */
  readonly kept: number;
}

/** The outcome of one page. */
export interface ExpiredStep {
  readonly counts: ExpiredCounts;
  /** Time to find the events, which a page without any takes too, in milliseconds. */
  readonly searchMs: number;
  /** Where the next page starts; absent on the last one. */
  readonly next?: ExpiredCursor;
}

const EVENTS_PER_PAGE = 5_000;
const EVENTS_PER_CALL = 1_000;

/**
 * Returns one step of a pass: it removes expired events from the queues, then their evaluations, then the events themselves, by tombstones
 * that outrank every record, so that neither an update nor a repeated delivery restores them. The tombstones are last, because they
 * end the search for an event: after a crash the same events are found again.
 */
export function makeExpirePage(deps: ExpirePageDeps) {
  const { store, controlPlane, forgetEvents } = deps;

  async function keptOf(
    { projectId, removesKept }: ExpiryScan,
    events: readonly ExpiredRow[],
  ): Promise<ReadonlySet<string>> {
    const kept = new Set<string>();
    for (let from = 0; from < events.length; from += EVENTS_PER_CALL) {
      const part = events
        .slice(from, from + EVENTS_PER_CALL)
        .map(({ eventId, sessionId, runId }) => ({ eventId, sessionId, runId }));
      for (const id of await controlPlane.removeExpired({ projectId, expired: part, removesKept }))
        kept.add(id);
    }
    return kept;
  }

  async function remove(events: readonly ExpiredRow[]): Promise<void> {
    const locations = events.map(({ runId: _, ...location }) => location);
    await store.writer.removeEvaluations(locations);
    const tombstones = locations.map((location) => ({ ...location, version: MAX_VERSION }));
    await store.writer.write({ rows: [], changes: [], tombstones, token: randomUUID() });
    forgetEvents(locations.map(eventKey));
  }

  return async function expirePage(scan: ExpiryScan, after?: ExpiredCursor): Promise<ExpiredStep> {
    const startedAt = performance.now();
    const { projectId, keepReferenced: withRuns, cutoffs, from, before = -Infinity } = scan;
    const query = { cutoffs, from, after, limit: EVENTS_PER_PAGE, withRuns };
    const { events, next } = await store.states.expiredEvents(projectId, query);
    const kept = await keptOf(scan, events);
    const searchMs = performance.now() - startedAt;
    const removed = events.filter(({ eventId }) => !kept.has(eventId));
    if (removed.length > 0) {
      await remove(removed);
      await forwardSessionsOf(deps, removed);
    }
    const late = removed.filter(({ startTime }) => startTime < before).length;
    return { next, searchMs, counts: { events: removed.length, late, kept: kept.size } };
  };
}

/** A summary that is not forwarded now is, like every other one, forwarded with the next event of its session, or expires itself. */
async function forwardSessionsOf(
  { forwardSummaries, logger }: Pick<ExpirePageDeps, 'forwardSummaries' | 'logger'>,
  events: readonly ExpiredRow[],
): Promise<void> {
  if (forwardSummaries === undefined) return;
  const sessions = new Map(
    events.map(({ projectId, sessionId }) => [
      `${projectId}/${sessionId}`,
      { projectId, eventId: sessionId },
    ]),
  );
  await forwardSummaries([...sessions.values()]).catch((error: unknown) =>
    logger.warn('summaries of sessions with expired events not forwarded', {}, error),
  );
}
