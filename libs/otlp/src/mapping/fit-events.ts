import { truncateEvent, truncatePatch, type Event } from '@assay/domain';
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
 * Returns mapped events, sessions and updates without those values that make them larger than 10 MB. A warning beside what was
 * rejected counts the events. Yields between them, because they can be large.
 */
export function* fitEventsSteps<M extends Mapped>(mapped: M): Steps<M> {
  const events = yield* fitAll(mapped.events);
  const sessions = yield* fitAll(mapped.sessions);
  const patches: LinkedPatch[] = [];
  for (const patch of mapped.patches) {
    yield;
    patches.push({ ...patch, patch: truncatePatch(patch.patch) });
  }
  const truncated = events.filter((event, index) => event !== mapped.events[index]).length;
  if (truncated === 0) return { ...mapped, sessions, patches };
  const warning = { count: 0, message: warningOf(truncated) };
  const rejected = { ...combineRejected(mapped.rejected, warning), truncated };
  return { ...mapped, events, sessions, patches, rejected };
}

function* fitAll(events: readonly Event[]): Steps<Event[]> {
  const fitting: Event[] = [];
  for (const event of events) {
    yield;
    fitting.push(truncateEvent(event));
  }
  return fitting;
}

function warningOf(events: number): string {
  const subject = events === 1 ? '1 event was larger than 10 MB' : `${events} events were larger than 10 MB`;
  return `${subject}, their largest values are replaced by assay_truncated`;
}
