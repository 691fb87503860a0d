import type { RunResponse } from '@assay/contracts';
import { acceptFilters, canonicalUuid, passingRangesOf, sessionsOfRun, traitsOf } from '@assay/domain';
import type { DateRange, Filter, MetricRule, RunRules, RunSession } from '@assay/domain';
import { AppError, notFound, type AppErrorOptions } from '@assay/errors';
import type { CompositeCondition, QueryOptions } from '@assay/event-store';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

type LoadDeps = Pick<DataPlaneDeps, 'controlPlane' | 'store'>;

/** Runs as the control plane holds them, in the order of the request, with the rules of the project's metrics. */
export interface LoadedRuns {
  readonly projectId: string;
  readonly runs: readonly RunResponse[];
  readonly metrics: ReadonlyMap<string, MetricRule>;
}

/** A run with its sessions and the rules for their scores. */
export interface RunWithEvents {
  readonly run: RunResponse;
  readonly sessions: readonly RunSession[];
  readonly rules: RunRules;
  /** Sessions that the run lists and that have no event, whatever the filters: not stored yet, deleted or expired. */
  readonly absentSessions: number;
}

/** Which events of a run count. */
export interface EventSelection extends DateRange {
  readonly filters: readonly Filter[];
  /** Whether to find out which events may have a ground truth. */
  readonly findGroundTruths?: boolean;
}

/** Different filters of composite metrics in one query. */
const MAX_CONDITIONS = 100;

/** The stored definitions of metrics cannot be applied, whatever the request. */
export class UnusableMetricsError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('VALIDATION_ERROR', message, options);
  }
}

/** Reads runs from the control plane. @throws AppError `NOT_FOUND` if one does not exist in the project */
export async function loadRuns(
  deps: LoadDeps,
  projectId: string,
  sentIds: readonly string[],
): Promise<LoadedRuns> {
  const runIds = sentIds.map(canonicalUuid);
  const loaded = await loadExistingRuns(deps, projectId, runIds);
  if (new Set(runIds).size > loaded.runs.length) throw notFound('run not found');
  const byId = new Map(loaded.runs.map((run) => [run.run_id, run]));
  return { ...loaded, runs: runIds.flatMap((id) => byId.get(id) ?? []) };
}

/** Reads those of at most 100 runs that exist in the project, each once. */
export async function loadExistingRuns(
  { controlPlane }: LoadDeps,
  projectId: string,
  runIds: readonly string[],
): Promise<LoadedRuns> {
  const { runs, metrics } = await controlPlane.runs({ projectId, runIds });
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  return {
    projectId,
    runs: [...new Set(runIds)].flatMap((id) => byId.get(id) ?? []),
    metrics: new Map(metrics.map((metric) => [metric.name, metric])),
  };
}

/** Reads the events of loaded runs in one query, and returns each run with its sessions. */
export async function readRunSessions(
  { store }: Pick<LoadDeps, 'store'>,
  { projectId, runs, metrics }: LoadedRuns,
  selection: EventSelection,
  options: QueryOptions,
): Promise<RunWithEvents[]> {
  const links = runs.map(({ run_id: runId, event_ids: sessionIds }) => ({ runId, sessionIds }));
  const query = { ...selection, runs: links, conditions: compositeConditions(metrics) };
  const events = await store.aggregates.runEvents(projectId, query, options);
  const stored = new Set(events.map(({ sessionId }) => sessionId));
  return runs.map((run, index) => ({
    run,
    sessions: links[index] ? sessionsOfRun(events, links[index]) : [],
    rules: { metrics, passingRanges: passingRangesOf(run.metadata) },
    absentSessions: new Set(run.event_ids.filter((id) => !stored.has(id))).size,
  }));
}

/** The filters of active composite metrics, each list once, and the names of the metrics that have it. */
function compositeConditions(metrics: ReadonlyMap<string, MetricRule>): CompositeCondition[] {
  const byFilters = new Map<string, { readonly filters: Filter[]; readonly composites: string[] }>();
  for (const rule of metrics.values()) {
    const { name, is_active, filters } = rule;
    if (!traitsOf(rule).hasChildren || !is_active) continue;
    const key = JSON.stringify(filters.filterArray);
    const known = byFilters.get(key);
    if (known) known.composites.push(name);
    else byFilters.set(key, { filters: storedFilters(filters.filterArray), composites: [name] });
  }
  if (byFilters.size > MAX_CONDITIONS)
    throw new UnusableMetricsError(
      `the project has composite metrics with more than ${MAX_CONDITIONS} different filters`,
    );
  return [...byFilters.values()];
}

function storedFilters(stored: MetricRule['filters']['filterArray']): Filter[] {
  try {
    return acceptFilters(stored, 'stored');
  } catch (cause) {
    throw new UnusableMetricsError('the filters of a composite metric of the project are invalid', { cause });
  }
}
