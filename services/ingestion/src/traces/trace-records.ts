import { createHash } from 'node:crypto';
import { encodeRecord, type Move } from '@assay/contracts';
import { spanEventId, traceSessionId } from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import type { MappedTraces } from '@assay/otlp';

/** Characters of the identity of an update; 64 bits are enough among the updates of one event. */
const UPDATE_ID_LENGTH = 16;

/**
 * Returns the evaluations that spans carry about events of other spans, as updates of those events. The same
 * span with the same evaluations is the same update, so an export that is repeated does not undo updates that
 * came in between.
 */
export function evaluationRecords(
  projectId: string,
  { patches }: Pick<MappedTraces, 'patches'>,
): LogRecord[] {
  return patches.map(({ eventId, source, patch }) => {
    const value = Buffer.from(JSON.stringify(patch));
    const updateId = createHash('sha256').update(`${source}\n`).update(value).digest('hex');
    return encodeRecord({
      kind: 'patch',
      projectId,
      eventId,
      fresh: false,
      updateId: updateId.slice(0, UPDATE_ID_LENGTH),
      value,
    });
  });
}

/**
 * Returns the record that moves events from the session derived from the trace to the session that the trace
 * named.
 */
export function sessionMoveRecord(projectId: string, traceId: string, sessionId: string): LogRecord {
  return moveRecord(projectId, traceSessionId(projectId, traceId), { to: sessionId });
}

/**
 * Returns a move for each span that brings its own event id: its children refer to the id derived from the
 * span. The move lists the sessions that children may already be in: that of the event and those of the
 * trace.
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
    const candidates = [
      traceSessionId(projectId, traceId),
      sessions.get(traceId),
      byId.get(eventId)?.session_id,
    ];
    return [
      moveRecord(projectId, derived, {
        to: eventId,
        sessions: [...new Set(candidates.flatMap((id) => id ?? []))],
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
