import { encodeSessionChange } from '@assay/contracts';
import type { Event } from '@assay/domain';
import type { EventLog } from '@assay/event-log';
import type { EventKey, StatesPort } from '@assay/event-store';
import { eventKey } from '@assay/log-readers';
import { LRUCache } from 'lru-cache';
import type { ProjectMetrics } from '../definitions/project-metrics.js';
import type { QuietPeriod } from '../shared/quiet-period.js';
import type { ChangedEvent } from './changed-events.js';
import { changedSessions } from './changed-sessions.js';

export interface SessionReportDeps {
  readonly log: Pick<EventLog, 'append'>;
  readonly store: { readonly states: StatesPort };
  readonly quiet: QuietPeriod;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What a batch changes. */
export interface SessionChanges {
  readonly changed: readonly ChangedEvent[];
  /** The present states of those that exist. */
  readonly events: readonly Event[];
  readonly projects: ReadonlyMap<string, Pick<ProjectMetrics, 'decidingOnSessions'>>;
  /** What the batch itself changes, by its key, and that needs no report. */
  readonly own: ReadonlySet<string>;
}

/** LRU capacity: sessions whose last report is known. Those beyond it are reported more often. */
const MAX_KNOWN = 50_000;

/**
 * Returns a function that reports to the processes that decide about sessions, over the log, that events of these have changed.
 * Only sessions of projects with metrics that decide by them are reported, each once in a step: a later change of the step is
 * stored before the session can be quiet.
 */
export function makeReportSessionChanges({ log, store, quiet, now }: SessionReportDeps) {
  const reported = new LRUCache<string, { readonly at: number; readonly decidedBy: string }>({
    max: MAX_KNOWN,
  });

  return async function reportSessionChanges({ projects, own, ...batch }: SessionChanges): Promise<void> {
    const at = now();
    const decidedBy = ({ projectId }: EventKey) => projects.get(projectId)?.decidingOnSessions ?? '';
    const isDue = (session: EventKey) => {
      const last = reported.get(eventKey(session));
      return last?.decidedBy !== decidedBy(session) || at - last.at >= quiet.stepMs;
    };
    const changed = batch.changed.filter((event) => event.isChanged && decidedBy(event) !== '');
    if (changed.length === 0) return;
    const keys = new Set(changed.map(eventKey));
    const events = batch.events.filter((event) => keys.has(eventKey(keyOf(event))));
    const sessions = await changedSessions(store.states, { changed, events });
    const due = sessions.filter((session) => !own.has(eventKey(session)) && isDue(session));
    if (due.length === 0) return;
    await log.append(due.map((session) => encodeSessionChange(session, at)));
    for (const session of due) reported.set(eventKey(session), { at, decidedBy: decidedBy(session) });
  };
}

function keyOf({ project_id: projectId, event_id: eventId }: Event): EventKey {
  return { projectId, eventId };
}
