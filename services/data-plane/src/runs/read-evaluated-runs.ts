import {
  countEvaluations,
  NO_EVALUATIONS,
  runEvaluations,
  traitsOf,
  type MetricRule,
  type RunEvaluations,
  type RunSession,
} from '@assay/domain';
import type { QueryOptions } from '@assay/event-store';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { readRunSessions, type EventSelection, type LoadedRuns, type RunWithEvents } from './load-runs.js';

type ReadDeps = Pick<DataPlaneDeps, 'controlPlane' | 'store'>;

/** A run with its sessions, and with what the evaluators have decided about their selected events. */
export interface EvaluatedRun extends RunWithEvents {
  readonly evaluations: RunEvaluations;
}

/** Reads the sessions of loaded runs, and the decisions about the events of each. */
export async function readEvaluatedRuns(
  deps: ReadDeps,
  loaded: LoadedRuns,
  selection: EventSelection,
  options: QueryOptions,
): Promise<EvaluatedRun[]> {
  const runs = await readRunSessions(deps, loaded, selection, options);
  return Promise.all(
    runs.map(async (run) => ({
      ...run,
      evaluations: await readEvaluations(deps, loaded, run.sessions, options),
    })),
  );
}

/** Reads the decisions about the selected events of sessions; none when no metric of the project was ever evaluated. */
export async function readEvaluations(
  { store }: Pick<DataPlaneDeps, 'store'>,
  { projectId, metrics }: LoadedRuns,
  sessions: readonly RunSession[],
  options: QueryOptions,
): Promise<RunEvaluations> {
  if (![...metrics.values()].some(isEvaluated)) return NO_EVALUATIONS;
  const ids = new Set<string>();
  for (const { events } of sessions) for (const event of events) if (event.isSelected) ids.add(event.eventId);
  return runEvaluations(await store.aggregates.decidedEvents(projectId, [...ids], options));
}

/** Whether evaluators may still have something to do with events of the project, and whether scores lead to others. */
export function evaluatorsOf({ metrics }: LoadedRuns): {
  readonly any: boolean;
  readonly composites: boolean;
} {
  const active = [...metrics.values()].filter((rule) => rule.is_active && isEvaluated(rule));
  return { any: active.length > 0, composites: active.some((rule) => traitsOf(rule).hasChildren) };
}

/** Returns how many evaluations of runs are pending. */
export function pendingEvaluations(runs: readonly EvaluatedRun[]): number {
  return runs.reduce((total, { evaluations }) => total + countEvaluations(evaluations, 'pending'), 0);
}

function isEvaluated(rule: MetricRule): boolean {
  return traitsOf(rule).isEvaluated;
}
