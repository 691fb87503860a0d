import type { getMetricAgreement } from '@assay/contracts';
import {
  acceptDateRange,
  agreementOf,
  hasScoreType,
  scoreLabel,
  traitsOf,
  PEOPLE_TYPES,
  type DeployedMetric,
  type Event,
  type EventPosition,
  type Filter,
  type LabelPair,
} from '@assay/domain';
import { notFound, validationError } from '@assay/errors';
import type { EventRowsQuery } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { readMetrics } from './read-metrics.js';

const PAGE_SIZE = 500;
/** 5,000 events. */
const MAX_PAGES = 10;

/**
 * Compares the scores of a metric with those of people, on the newest events that have both.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` when `with` is no metric of people, `UNAVAILABLE`
 */
export function makeGetMetricAgreement(deps: DataPlaneDeps): Operation<typeof getMetricAgreement> {
  return ({ params, query }, { caller, waitMs, signal }) => {
    const range = acceptDateRange(query.dateRange, deps.now());
    return respondAfterWait(deps, waitMs, async () => {
      const { projectId } = caller;
      const metrics = await readMetrics(deps, projectId);
      const metric = metrics.find(({ id }) => id === params.metric_id);
      if (!metric) throw notFound('metric not found');
      const people = humanMetric(metrics, query.with);
      const sample = { ...SAMPLE, filters: [exists(metric), exists(people)], ...range };
      const { pairs, complete } = await readPairs(deps, projectId, sample, {
        toPair: (event) => pairOf(event, metric, people),
        signal,
      });
      const labels = people.categories?.map(({ category }) => category);
      const agreement = agreementOf(pairs, { labels, weights: query.weights });
      return {
        metric: { id: metric.id, name: metric.name },
        with: { id: people.id, name: people.name },
        ...agreement,
        labels: [...agreement.labels],
        confusion_matrix: agreement.confusion_matrix.map((row) => [...row]),
        complete,
      };
    });
  };
}

const SAMPLE = {
  sort: { field: 'start_time', order: 'desc' },
  limit: PAGE_SIZE,
  previewChars: 0,
  payloadPaths: [],
  count: 'none',
} as const;

/** @throws AppError `VALIDATION_ERROR`. Metrics of one name share their scores: the newest one counts. */
function humanMetric(metrics: readonly DeployedMetric[], idOrName: string): DeployedMetric {
  const people = metrics.filter((metric) => !traitsOf(metric).isEvaluated);
  const found =
    people.find(({ id }) => id === idOrName) ?? people.filter(({ name }) => name === idOrName).at(-1);
  if (!found)
    throw validationError(`with must be the id or the name of a metric of type ${PEOPLE_TYPES.join(' or ')}`);
  return found;
}

function exists({ name }: DeployedMetric): Filter {
  return { field: `metrics.${name}`, operator: 'exists', type: 'string', value: '' };
}

function pairOf({ metrics }: Event, metric: DeployedMetric, people: DeployedMetric): LabelPair[] {
  const [reference, rated] = [scoreLabel(metrics[people.name]), scoreLabel(metrics[metric.name])];
  if (!hasScoreType(metrics[people.name], people) || !hasScoreType(metrics[metric.name], metric)) return [];
  return reference === undefined || rated === undefined ? [] : [{ reference, rated }];
}

async function readPairs(
  { store }: DataPlaneDeps,
  projectId: string,
  query: EventRowsQuery,
  { toPair, signal }: { toPair: (event: Event) => readonly LabelPair[]; signal: AbortSignal },
): Promise<{ readonly pairs: readonly LabelPair[]; readonly complete: boolean }> {
  const pairs: LabelPair[] = [];
  let after: EventPosition | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const page = await store.events.rows(projectId, { ...query, ...(after && { after }) }, { signal });
    pairs.push(...page.rows.flatMap(({ event }) => toPair(event)));
    after = page.rows.at(-1)?.position;
    if (!page.hasMore || !after) return { pairs, complete: true };
  }
  return { pairs, complete: false };
}
