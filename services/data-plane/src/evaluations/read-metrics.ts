import type { DeployedMetric } from '@assay/domain';
import { unavailable } from '@assay/errors';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** More pages than the metrics of a project need. */
const MAX_PAGES = 10_000;

/** Reads the metrics of a project in their deployed versions, oldest first. @throws AppError `UNAVAILABLE` */
export async function readMetrics(
  { controlPlane }: Pick<DataPlaneDeps, 'controlPlane'>,
  projectId: string,
): Promise<DeployedMetric[]> {
  const metrics: DeployedMetric[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: Awaited<ReturnType<typeof controlPlane.deployedMetrics>> = await controlPlane.deployedMetrics(
      { projectId, after },
    );
    metrics.push(...page.metrics);
    if (page.next === null) return metrics;
    after = page.next;
  }
  throw unavailable('invalid response from the control plane: pages of metrics without an end');
}
