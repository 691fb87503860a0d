import type { ControlPlane, ForwardedSession } from '@assay/control-plane-client';
import { redactSessionSummary, type Redaction } from '@assay/domain';
import type { EventKey, SessionsPort, SessionSummary } from '@assay/event-store';
import type { Logger } from '@assay/runtime';
import { eventKey } from '@assay/log-readers';
import { toSessionSummary } from '../shared/session-summary.js';
import { sendAccepted } from './send-accepted.js';

export interface ForwardSessionsDeps {
  readonly store: { readonly sessions: SessionsPort };
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents'>;
  readonly redaction: Redaction;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Summaries of one read: as many as one statement takes, because a large part of its cost does not depend on their number. */
const SESSIONS_PER_READ = 2_500;
/** Summaries of one call. */
const SESSIONS_PER_CALL = 1_000;

/**
 * Returns a function that reads the summaries of sessions and forwards them, redacted. It resolves with the number
 * of rows that each summary took to read. A summary that the control plane rejects is logged and left out: it is
 * bounded in size, and its records are stored.
 */
export function makeForwardSessions({ store, controlPlane, redaction, logger }: ForwardSessionsDeps) {
  const send = async (forwarded: readonly ForwardedSession[]) => {
    const rejected = await sendAccepted(forwarded, (sessions) => controlPlane.forwardEvents(sessions));
    if (rejected.length > 0)
      logger.warn('control plane rejects the summaries of sessions', { sessions: rejected.length });
  };
  return async function forwardSessions(keys: readonly EventKey[]): Promise<ReadonlyMap<string, number>> {
    const rows = new Map<string, number>();
    for (let from = 0; from < keys.length; from += SESSIONS_PER_READ) {
      const part = keys.slice(from, from + SESSIONS_PER_READ);
      const summaries = await store.sessions.summaries(part);
      const forwarded = part.flatMap((key) => {
        const summary = summaries.get(eventKey(key));
        if (summary) rows.set(eventKey(key), summary.rows);
        return summary ? toForwarded(key, summary, redaction) : [];
      });
      for (let next = 0; next < forwarded.length; next += SESSIONS_PER_CALL)
        await send(forwarded.slice(next, next + SESSIONS_PER_CALL));
    }
    return rows;
  };
}

function toForwarded(
  { projectId, eventId }: EventKey,
  summary: SessionSummary,
  redaction: Redaction,
): ForwardedSession {
  return {
    kind: 'session',
    projectId,
    watermark: summary.watermark,
    isListed: summary.session !== undefined,
    summary: redactSessionSummary(toSessionSummary(eventId, summary), redaction),
  };
}
