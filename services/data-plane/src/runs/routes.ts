import {
  compareRunDatapoints,
  compareRunEvents,
  compareRunEventsByQuery,
  compareRunResults,
  compareRunResultsWith,
  gateRun,
  getEventsSchema,
  getRunResult,
  getRunSchema,
  getRunsSchema,
  getRunSummary,
  listRunMetrics,
  listRuns,
  listRunSummaries,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeCompareRunDatapoints } from './compare-run-datapoints.js';
import { makeCompareRunEvents, makeCompareRunEventsByQuery } from './compare-run-events.js';
import { makeCompareRunResults } from './compare-run-results.js';
import { makeGateRun } from './gate-run.js';
import { makeGetRunResult, makeGetRunSummary } from './get-run-result.js';
import { makeGetEventsSchema, makeGetRunSchema, makeGetRunsSchema } from './get-schema.js';
import { makeListRunSummaries } from './list-run-summaries.js';
import { makeListRunMetrics } from './list-run-metrics.js';
import { makeListRuns } from './list-runs.js';

/** The fields of events, which may be those of one run. Precedes the route of one event. */
export function eventSchemaRoutes(deps: DataPlaneDeps): Binding[] {
  return [bind(getEventsSchema, makeGetEventsSchema(deps))];
}

export function runRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    bind(listRuns, makeListRuns(deps)),
    bind(compareRunEventsByQuery, makeCompareRunEventsByQuery(deps)),
    bind(compareRunResultsWith, makeCompareRunResults(deps)),
    bind(compareRunResults, makeCompareRunResults(deps)),
    bind(compareRunDatapoints, makeCompareRunDatapoints(deps)),
    bind(compareRunEvents, makeCompareRunEvents(deps)),
    bind(getRunsSchema, makeGetRunsSchema(deps)),
    bind(listRunSummaries, makeListRunSummaries(deps)),
    bind(gateRun, makeGateRun(deps)),
    bind(listRunMetrics, makeListRunMetrics(deps)),
    bind(getRunResult, makeGetRunResult(deps)),
    bind(getRunSchema, makeGetRunSchema(deps)),
    bind(getRunSummary, makeGetRunSummary(deps)),
  ];
}
