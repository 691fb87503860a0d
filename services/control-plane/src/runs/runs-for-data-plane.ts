import { internalApi } from '@assay/contracts';
import type { ControlPlane } from '@assay/control-plane-client';
import { canonicalUuid, traitsOf, type MetricRule } from '@assay/domain';
import { MetricRepository, type MetricDeps } from '../metrics/metric-repository.js';
import type { Metric } from '../metrics/metric-document.js';
import { findRuns } from './list-runs.js';
import { RunRepository, type RunDeps } from './run-repository.js';

/** Reads runs for data planes, which hold their events, with the rules for the scores on these. */
export function runsForDataPlane(deps: RunDeps & MetricDeps): Pick<ControlPlane, 'runs' | 'runLinks'> {
  return {
    runLinks: async ({ projectId, ...query }) => {
      const { pages, pagination } = await findRuns(new RunRepository(deps, projectId), query, deps.now());
      const links: internalApi.RunLinksPage['links'][number][] = [];
      let room = internalApi.MAX_LISTED_SESSIONS;
      for await (const page of pages)
        for (const { run_id: runId, event_ids } of page) {
          const sessionIds = event_ids.slice(0, room);
          room -= sessionIds.length;
          links.push({ runId, sessionIds });
        }
      return { links, pagination };
    },
    runs: async ({ projectId, runIds, withoutRules }) => {
      const runs = new RunRepository(deps, projectId);
      const ids = [...new Set(runIds.map(canonicalUuid))];
      const [found, metrics] = await Promise.all([
        runs.collection.getAll(ids),
        withoutRules ? [] : new MetricRepository(deps, projectId).newestByName(toRule),
      ]);
      const byId = new Map(found.map((run) => [run.run_id, run]));
      const ordered = ids.flatMap((id) => byId.get(id) ?? []);
      return { runs: await runs.toResponses(ordered), metrics };
    },
  };
}

/** The criteria and filters of other metrics are not needed to judge their scores, and may be large. */
function toRule(metric: Metric): MetricRule {
  const { name, type, return_type, direction, threshold, categories, child_metrics, is_active } = metric;
  const isComposite = traitsOf(metric).hasChildren;
  return {
    name,
    type,
    criteria: isComposite ? metric.criteria : '',
    return_type,
    direction,
    threshold,
    categories,
    child_metrics: isComposite ? child_metrics : null,
    filters: isComposite ? metric.filters : { filterArray: [] },
    is_active,
  };
}
