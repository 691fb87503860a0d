import { modelWarnings, traitsOf, type CallableModels } from '@assay/domain';
import type { Condition } from '@assay/document-store';
import type { DataPlaneCollection } from '../identity/data-planes/data-plane-document.js';
import type { ModelWarnings } from '../metrics/check-criteria.js';
import {
  dataPlaneOfReport,
  MAX_REPORTS_OF_DATA_PLANE,
  REPORT_AGE_MS,
  type ModelReportDeps,
  type ModelReportFields,
} from './model-report.js';

/** Recent reports of all data planes among which those of a project are found. */
const MAX_REPORTS = 1_000;
/** Data planes of one project, and bytes of the reports of each, that are read; the newest first. */
const MAX_DATA_PLANES = 8;
const MAX_REPORT_BYTES = 1024 * 1024;

const UNKNOWN = `no evaluator has reported its models within ${REPORT_AGE_MS / 1_000} s: it is unknown whether events are evaluated by the metric`;

/**
 * Says why a metric cannot be evaluated, by what the evaluators of its project have reported: a process that lacks the model does not
 * evaluate its share of the events.
 */
export function makeReportedWarnings(
  deps: ModelReportDeps & { readonly dataPlanes: DataPlaneCollection },
): ModelWarnings {
  return async function warningsOf(projectId) {
    const reports = await reportsOf(deps, projectId);
    return (metric) => {
      if (!traitsOf(metric).needsModel) return [];
      if (reports.length === 0) return [UNKNOWN];
      return [...new Set(reports.flatMap((report) => modelWarnings(metric, callable(report, projectId))))];
    };
  };
}

/** Returns the reports of the processes that evaluate events of the project. */
async function reportsOf(
  deps: Parameters<typeof makeReportedWarnings>[0],
  projectId: string,
): Promise<ModelReportFields[]> {
  const where = [{ field: 'reported_at', from: deps.now().getTime() - REPORT_AGE_MS }];
  const reports: ModelReportFields[] = [];
  for (const data_plane_id of await reportingDataPlanes(deps, projectId, where)) {
    const ofDataPlane = await deps.modelReports.list({
      ...{ equals: { data_plane_id }, where, orderBy: 'reported_at', descending: true },
      ...{ limit: MAX_REPORTS_OF_DATA_PLANE, maxBytes: MAX_REPORT_BYTES },
    });
    for (const report of ofDataPlane)
      if (report.projectIds.length === 0 || report.projectIds.includes(projectId)) reports.push(report);
  }
  return reports;
}

/** Returns the ids of data planes that have reported and may act for the project; null is the one within a single process. */
async function reportingDataPlanes(
  { modelReports, dataPlanes }: Parameters<typeof makeReportedWarnings>[0],
  projectId: string,
  where: readonly Condition[],
): Promise<(string | null)[]> {
  const recent = await modelReports.entries({
    ...{ equals: {}, where, orderBy: 'reported_at', descending: true, limit: MAX_REPORTS },
  });
  const ids = [...new Set(recent.map(({ id }) => dataPlaneOfReport(id)))];
  const known = await dataPlanes.getAll(ids.flatMap((id) => id ?? []));
  const foreign = new Set(
    known
      .filter(({ ended_at, project_ids }) => ended_at !== null || !isAmong(project_ids, projectId))
      .map(({ id }) => id),
  );
  return ids.filter((id) => id === null || !foreign.has(id)).slice(0, MAX_DATA_PLANES);
}

/** @param projectIds null: all */
function isAmong(projectIds: readonly string[] | null, projectId: string): boolean {
  return projectIds === null || projectIds.includes(projectId);
}

/** An endpoint that a report could not name may exist. */
function callable(
  { defaultModel, hasProxy, isComplete, providers, projects }: ModelReportFields,
  projectId: string,
): CallableModels {
  const own = projects.find((one) => one.projectId === projectId);
  return {
    defaultModel: defaultModel ?? undefined,
    hasEndpoint: (provider) =>
      hasProxy || !isComplete || providers.includes(provider) || (own?.providers.includes(provider) ?? false),
    isFailing: (provider) => own?.failing.includes(provider) ?? false,
  };
}
