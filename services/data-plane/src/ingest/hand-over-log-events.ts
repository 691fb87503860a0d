import { LOG_CONTENT, type Event } from '@assay/domain';
import type { EventLog, LogRecord } from '@assay/event-log';
import type { EventState, StatesPort, Tombstone } from '@assay/event-store';
import { moveTargets } from '../relocation/moved-ids.js';
import { withMerged, type AppliedBatch, type StateWrites } from './apply-records.js';
import { createRecord } from './hand-over-calling-events.js';

export interface HandOverDeps {
  readonly store: { readonly states: StatesPort };
  readonly log: Pick<EventLog, 'append'>;
}

type LogEvent = StateWrites & {
  readonly state: EventState & { readonly event: Event & { readonly version: number } };
};

/**
 * Returns the step that hands over the content of log events whose span set an event id of its own. The log
 * events are stored under the id derived from the span, and the move of that id, which has the same key, states
 * the id of the span's event. Their content is appended to the log as a create of that event, whose reader merges
 * it; here a tombstone replaces it. Appending comes first: when the process stops in between, the content is
 * appended again, and joining it twice changes nothing.
 */
export function makeHandOverLogEvents({ store, log }: HandOverDeps) {
  return async function handOverLogEvents(applied: AppliedBatch): Promise<AppliedBatch> {
    const candidates = applied.merged.filter(isMovedLogEvent);
    if (candidates.length === 0) return applied;
    const flags = new Map(
      candidates.map(({ key, state }) => [key, { deleted: false, movedTo: state.changes?.movedTo }]),
    );
    const targets = await moveTargets(store.states, flags);
    const records: LogRecord[] = [];
    const merged = applied.merged.map((writes) => {
      const target = isMovedLogEvent(writes) ? targets.get(writes.key) : undefined;
      if (target === undefined || !isMovedLogEvent(writes)) return writes;
      records.push(recordFor(writes.state.event, target));
      return withoutEvent(writes);
    });
    await log.append(records);
    return withMerged(applied, merged);
  };
}

/** Moves that form a circle have no target; their log events stay where they are. */
function isMovedLogEvent(writes: StateWrites): writes is LogEvent {
  const { event, changes, withoutPayload } = writes.state;
  if (event === undefined || changes?.movedTo === undefined || withoutPayload) return false;
  return event.origin === 'synthesised' && event.event_type !== 'session' && LOG_CONTENT in event.metadata;
}

function recordFor({ version: _, ...event }: LogEvent['state']['event'], target: string): LogRecord {
  return createRecord({ ...event, event_id: target });
}

function withoutEvent({ key, state, changes, tombstones, tooLarge }: LogEvent): StateWrites {
  const { project_id: projectId, event_id: eventId, session_id, start_time, version } = state.event;
  const removed: Tombstone = {
    projectId,
    eventId,
    sessionId: session_id,
    startTime: start_time,
    version: Math.max(version, state.changes?.version ?? version),
  };
  return { key, state: { changes: state.changes }, changes, tombstones: [...tombstones, removed], tooLarge };
}
