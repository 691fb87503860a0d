import { runSync } from './run-sync.js';
import { compareRuns, type CompareRunsInput } from '../../src/experiments/compare-runs.js';
import type { MetricRule, PassingRange, RunRules } from '../../src/experiments/metric-rule.js';
import { sessionsOfRun, type RunEvent, type RunSession } from '../../src/experiments/run-events.js';
import type { JsonObject } from '../../src/json.js';

export const RUN_ID = 'run-1';

/** A definition with defaults. */
export function aRule(name: string, fields: Partial<MetricRule> = {}): MetricRule {
  return {
    name,
    type: 'PYTHON',
    criteria: '',
    return_type: 'float',
    direction: 'higher',
    threshold: null,
    categories: null,
    child_metrics: null,
    filters: { filterArray: [] },
    is_active: true,
    ...fields,
  };
}

export function rulesOf(
  metrics: readonly MetricRule[] = [],
  passingRanges: Readonly<Record<string, PassingRange>> = {},
): RunRules {
  return {
    metrics: new Map(metrics.map((metric) => [metric.name, metric])),
    passingRanges: new Map(Object.entries(passingRanges)),
  };
}

/** A chain event of the run in a session of its own name. */
export function anEvent(sessionId: string, metrics: JsonObject, fields: Partial<RunEvent> = {}): RunEvent {
  return {
    eventId: `${sessionId}-answer`,
    sessionId,
    eventName: 'answer',
    eventType: 'chain',
    startTime: 2,
    runId: RUN_ID,
    datapointId: '',
    metrics,
    isSelected: true,
    composites: [],
    ...fields,
  };
}

/** The session event of a session. */
export function aSession(sessionId: string, fields: Partial<RunEvent> = {}): RunEvent {
  return anEvent(
    sessionId,
    {},
    { eventId: sessionId, eventName: 'run', eventType: 'session', startTime: 1, ...fields },
  );
}

export function sessionsOf(events: readonly RunEvent[], sessionIds: readonly string[] = []): RunSession[] {
  return sessionsOfRun(events, { runId: RUN_ID, sessionIds });
}

/** Sessions `s0`, `s1`, … on the datapoints `d0`, `d1`, …, each with one score. */
export function scored(values: readonly (number | boolean)[], name = 'score'): RunSession[] {
  return sessionsOf(
    values.map((value, index) =>
      anEvent(`s${index}`, { [name]: value }, { datapointId: `d${index}`, startTime: index }),
    ),
  );
}

export function compare(
  oldSessions: readonly RunSession[],
  newSessions: readonly RunSession[],
  { rules = rulesOf(), ...input }: Partial<CompareRunsInput> & { rules?: RunRules } = {},
) {
  return runSync(
    compareRuns({
      oldRun: { sessions: oldSessions, rules },
      newRun: { sessions: newSessions, rules },
      aggregateFunction: 'average',
      ...input,
    }),
  );
}
