import { encodeRecord, type Move } from '@assay/contracts';
import { spanEventId, traceSessionId } from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import type { MappedTraces } from '@assay/otlp';

/** The verdicts that spans carry about events of other spans, as updates of those. */
export function verdictRecords(projectId: string, { patches }: Pick<MappedTraces, 'patches'>): LogRecord[] {
  return patches.map(({ eventId, patch }) =>
    encodeRecord({
      kind: 'patch',
      projectId,
      eventId,
      fresh: false,
      value: Buffer.from(JSON.stringify(patch)),
    }),
  );
}

/** Says that what was stored in the session derived from the trace belongs in the session that the trace has named. */
export function sessionMoveRecord(projectId: string, traceId: string, sessionId: string): LogRecord {
  return moveRecord(projectId, traceSessionId(projectId, traceId), { to: sessionId });
}

/**
 * Says of spans with event ids of their own where their children belong, which find their parent under the derived id: children that come later, and
 * those that lie in the session of the event or in that of the trace already.
 */
export function aliasRecords(
  projectId: string,
  { aliases, events, traceSessions }: MappedTraces,
): LogRecord[] {
  if (aliases.length === 0) return [];
  const byId = new Map(events.map((event) => [event.event_id, event]));
  const sessions = new Map(traceSessions.map(({ traceId, sessionId }) => [traceId, sessionId]));
  return aliases.flatMap(({ traceId, spanId, eventId }) => {
    const derived = spanEventId(projectId, traceId, spanId);
    if (derived === eventId) return [];
    const among = [traceSessionId(projectId, traceId), sessions.get(traceId), byId.get(eventId)?.session_id];
    return [
      moveRecord(projectId, derived, {
        to: eventId,
        sessions: [...new Set(among.flatMap((id) => id ?? []))],
      }),
    ];
  });
}

function moveRecord(projectId: string, eventId: string, move: Move): LogRecord {
  return encodeRecord({
    kind: 'move',
    projectId,
    eventId,
    fresh: false,
    value: Buffer.from(JSON.stringify(move)),
  });
}
