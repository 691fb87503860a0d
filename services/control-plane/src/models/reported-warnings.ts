import { modelWarnings, traitsOf, type CallableModels } from '@assay/domain';
import type { DataPlaneCollection } from '../identity/data-planes/data-plane-document.js';
import type { ModelWarnings } from '../metrics/check-criteria.js';
import { REPORT_AGE_MS, type ModelReportDeps, type ModelReportFields } from './model-report.js';

/** Reports that are read for the warnings of a project, the newest first, and their bytes. */
const MAX_REPORTS = 100;
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

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
  { modelReports, dataPlanes, now }: Parameters<typeof makeReportedWarnings>[0],
  projectId: string,
): Promise<ModelReportFields[]> {
  const recent = await modelReports.list({
    equals: {},
    where: [{ field: 'reported_at', from: now().getTime() - REPORT_AGE_MS }],
    orderBy: 'reported_at',
    descending: true,
    limit: MAX_REPORTS,
    maxBytes: MAX_REPORT_BYTES,
  });
  const ids = new Set(recent.flatMap(({ data_plane_id }) => data_plane_id ?? []));
  const bound = new Map((await dataPlanes.getAll([...ids])).map((one) => [one.id, one]));
  return recent.filter(({ data_plane_id, projectIds }) => {
    const dataPlane = bound.get(data_plane_id ?? '');
    if (dataPlane && (dataPlane.ended_at !== null || !isAmong(dataPlane.project_ids, projectId)))
      return false;
    return projectIds.length === 0 || projectIds.includes(projectId);
  });
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
