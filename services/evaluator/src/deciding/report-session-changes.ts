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
import { hasChanged, hasChangedContent, NO_CHANGES, type Changes } from './changes.js';

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
  readonly projects: ReadonlyMap<string, Pick<ProjectMetrics, 'decidingOnSessions' | 'combiningSessions'>>;
  /** By key: what the batch itself changes, which needs no report. */
  readonly own: ReadonlyMap<string, Changes>;
}

/** Changes of events that concern the same metrics on their sessions. */
interface Scope {
  readonly ofScores: boolean;
  /** Whether the change of an event is one of these. */
  readonly includes: (changes: Changes) => boolean;
  /** Whether they are decided about with what the batch changes of the session itself. */
  readonly isDecidedWith: (own: Changes) => boolean;
  /** Identifies the metrics of a project that they concern; empty without any. */
  readonly decidedBy: 'decidingOnSessions' | 'combiningSessions';
}

const CONTENT: Scope = {
  ofScores: false,
  includes: hasChangedContent,
  isDecidedWith: hasChangedContent,
  decidedBy: 'decidingOnSessions',
};
const SCORES: Scope = {
  ofScores: true,
  includes: (changes) => hasChanged(changes) && !hasChangedContent(changes),
  isDecidedWith: hasChanged,
  decidedBy: 'combiningSessions',
};

/** LRU capacity: sessions whose last report is known. Those beyond it are reported more often. */
const MAX_KNOWN = 50_000;

/**
 * Returns a function that reports to the processes that decide about sessions, over the log, that events of these have changed.
 * Only sessions of projects with metrics that decide by them are reported, each once in a step: a later change of the step is
 * stored before the session can be quiet. Scores of events are reported for composites alone.
 */
export function makeReportSessionChanges({ log, store, quiet, now }: SessionReportDeps) {
  const reported = new LRUCache<string, { readonly at: number; readonly decidedBy: string }>({
    max: MAX_KNOWN,
  });
  const keyOfReport = (session: EventKey, { ofScores }: Scope) => `${eventKey(session)} ${ofScores}`;

  return async function reportSessionChanges(batch: SessionChanges): Promise<void> {
    const at = now();
    const decidedBy = ({ projectId }: EventKey, scope: Scope) =>
      batch.projects.get(projectId)?.[scope.decidedBy] ?? '';
    const isReported = (session: EventKey, scope: Scope) => {
      const last = reported.get(keyOfReport(session, scope));
      return last?.decidedBy === decidedBy(session, scope) && at - last.at < quiet.stepMs;
    };
    // A report of content is one of scores too.
    for (const scope of [CONTENT, SCORES]) {
      const concerned = batch.changed.filter((event) => decidedBy(event, scope) !== '');
      const sessions = await sessionsOf(store.states, { ...batch, changed: concerned }, scope);
      const due = sessions.filter((one) => !isReported(one, CONTENT) && !isReported(one, scope));
      if (due.length === 0) continue;
      await log.append(due.map((session) => encodeSessionChange(session, { at, ofScores: scope.ofScores })));
      for (const session of due)
        reported.set(keyOfReport(session, scope), { at, decidedBy: decidedBy(session, scope) });
    }
  };
}

/** Returns the sessions of the changes in a scope that the batch itself does not decide about. */
async function sessionsOf(
  states: StatesPort,
  { changed, events, own }: SessionChanges,
  { includes, isDecidedWith }: Scope,
): Promise<EventKey[]> {
  const included = changed.filter(({ changes }) => includes(changes));
  if (included.length === 0) return [];
  const keys = new Set(included.map(eventKey));
  const present = events.filter((event) => keys.has(eventKey(keyOf(event))));
  const sessions = await changedSessions(states, { changed: included, events: present });
  return sessions.filter((session) => !isDecidedWith(own.get(eventKey(session)) ?? NO_CHANGES));
}

function keyOf({ project_id: projectId, event_id: eventId }: Event): EventKey {
  return { projectId, eventId };
}
