import type { ControlPlane } from '@assay/control-plane-client';
import { definitionOf, traitsOf, type DeployedMetric } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Metric } from './metric-document.js';
import { MetricRepository, type MetricDeps } from './metric-repository.js';

/** Metrics of a page; its size in bytes bounds it further. */
const PAGE = 500;
/** Bytes of JSON of a page, but at least one metric. */
const PAGE_BYTES = 1024 * 1024;
const CURSOR = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\/(\d{1,9})$/;

/** Reads the metrics of a project in their deployed versions, for the process that evaluates its events. */
export function makeDeployedMetrics(deps: MetricDeps): ControlPlane['deployedMetrics'] {
  return async function deployedMetrics({ projectId, after }) {
    const metrics = new MetricRepository(deps, projectId).collection;
    const cursor = after === null ? undefined : readCursor(after);
    const page = await metrics.page(
      {
        equals: { is_active: true },
        orderBy: 'created_at',
        where: cursor ? [{ field: 'created_at', from: cursor.createdAt }] : [],
        offset: cursor?.count ?? 0,
        maxBytes: PAGE_BYTES,
      },
      PAGE,
    );
    return { metrics: page.map(toDeployedMetric), next: nextCursor(page, cursor) };
  };
}

/** Time of the last metric, and how many metrics so far were created at that time. */
interface Cursor {
  readonly createdAt: string;
  readonly count: number;
}

/** Pages have at least one metric until the end, so an empty page is the last one. */
function nextCursor(page: readonly Metric[], before: Cursor | undefined): string | null {
  const last = page.at(-1)?.created_at;
  if (last === undefined) return null;
  const count = page.filter(({ created_at }) => created_at === last).length;
  return `${last}/${last === before?.createdAt ? before.count + count : count}`;
}

function readCursor(text: string): Cursor {
  const [, createdAt, count] = CURSOR.exec(text) ?? [];
  if (createdAt === undefined) throw validationError('after must be the next of a page');
  return { createdAt, count: Number(count) };
}

/** The instructions of metrics that people score are not needed to evaluate events, and may be large. */
function toDeployedMetric(metric: Metric): DeployedMetric {
  const { id, deployed: version, criteria } = metric;
  return { id, version, ...definitionOf(metric), criteria: traitsOf(metric).isEvaluated ? criteria : '' };
}
