import { eventLimit, MAX_EVENT_BYTES, truncateEvent, truncatePatch, type Event } from '@assay/domain';
import type { Steps } from '@assay/runtime';
import { combineRejected } from '../codec/rejections.js';
import type { Rejected } from '../messages.js';
import type { LinkedPatch } from './linked-evaluation.js';

/** What a request is mapped to, as far as it can be too large. */
interface Mapped {
  readonly events: Event[];
  readonly sessions: Event[];
  readonly patches: LinkedPatch[];
  readonly rejected: Rejected;
}

/**
 * Returns mapped events, sessions and updates without those values that make them larger than the limit. A warning beside what was
 * rejected counts the events. Yields between them, because they can be large.
 */
export function* fitEventsSteps<M extends Mapped>(mapped: M, maxBytes = MAX_EVENT_BYTES): Steps<M> {
  const events = yield* fitAll(mapped.events, maxBytes);
  const sessions = yield* fitAll(mapped.sessions, maxBytes);
  const patches: LinkedPatch[] = [];
  for (const patch of mapped.patches) {
    yield;
    patches.push({ ...patch, patch: truncatePatch(patch.patch, maxBytes) });
  }
  const truncated = events.filter((event, index) => event !== mapped.events[index]).length;
  if (truncated === 0) return { ...mapped, sessions, patches };
  const warning = { count: 0, message: warningOf(truncated, maxBytes) };
  const rejected = { ...combineRejected(mapped.rejected, warning), truncated };
  return { ...mapped, events, sessions, patches, rejected };
}

function* fitAll(events: readonly Event[], maxBytes: number): Steps<Event[]> {
  const fitting: Event[] = [];
  for (const event of events) {
    yield;
    fitting.push(truncateEvent(event, maxBytes));
  }
  return fitting;
}

function warningOf(events: number, maxBytes: number): string {
  const limit = maxBytes === MAX_EVENT_BYTES ? '10 MB' : eventLimit(maxBytes);
  const subject = events === 1 ? '1 event was' : `${events} events were`;
  return `${subject} larger than ${limit}, their largest values are replaced by assay_truncated`;
}
