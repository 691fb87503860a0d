import {
  inSteps,
  withTotals,
  type Event,
  type Exclusion,
  type FilterWork,
  type MaybeSteps,
  type SessionTotals,
} from '@assay/domain';
import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import { rulesOfSession, type PreparedMetric } from './project-metrics.js';

export interface SubjectNow {
  readonly event: Event;
  readonly work: FilterWork;
  /** Reads what the event, a session, derives from its events. */
  readonly totals: () => Promise<SessionTotals | undefined>;
}

/**
 * Returns why a metric does not evaluate an event as it is stored now; undefined when it does. `unmatched` means that further
 * events of the session may change that.
 */
export async function exclusionNow(
  prepared: PreparedMetric,
  { event, work, totals }: SubjectNow,
): Promise<Exclusion | 'unmatched' | undefined> {
  const rules = rulesOfSession(prepared, event);
  const exclusion = await inTurns((rules?.onArrival ?? prepared.appliesTo)(event, work));
  if (exclusion !== undefined || rules === undefined) return exclusion;
  const match = await inTurns(rules.derived(withTotals(event, await totals()), work));
  if (match === 'matching') return undefined;
  return match === 'not_decided' ? match : 'unmatched';
}

/** Finishes what may take steps, and lets other work run in between. */
function inTurns<T extends string | undefined>(result: MaybeSteps<T>): Promise<T> {
  return runCooperatively(inSteps(result), createYieldToEventLoop());
}
