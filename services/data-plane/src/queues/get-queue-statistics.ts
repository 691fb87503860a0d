import type { getQueueStatistics, ResponseOf } from '@assay/contracts';
import type { QueueEntry } from '@assay/control-plane-client';
import { traitsOf, type JsonObject } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { QueryOptions } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { readMetrics } from '../evaluations/read-metrics.js';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { countArrived, readOpenEntries } from './arrived-entries.js';
import { annotatorAgreementSteps } from './annotator-agreement.js';

/** Completed events that count. */
const MAX_EVENTS = 1_000;

/**
 * Returns how many events of a queue have each status, and how well its annotators agree on the first 1,000 completed
 * ones. @throws AppError `NOT_FOUND`, `UNAVAILABLE`
 */
export function makeGetQueueStatistics(deps: DataPlaneDeps): Operation<typeof getQueueStatistics> {
  return ({ params }, context) =>
    respondAfterWait(deps, context.waitMs, async (): Promise<ResponseOf<typeof getQueueStatistics>> => {
      const { signal, caller } = context;
      const { projectId } = caller;
      const completed = { status: 'done', limit: MAX_EVENTS, offset: 0 } as const;
      const queue = { projectId, queueId: params.queue_id };
      const query = { ...queue, ...completed };
      const found = await deps.controlPlane.queueEntries(query, { signal });
      if (!found) throw notFound('queue not found');
      const metrics = await readMetrics(deps, projectId);
      const people = metrics.filter((metric) => !traitsOf(metric).isEvaluated);
      // Of several metrics of one name the newest, which is the last, says what a score is.
      const byName = new Map(people.map((metric) => [metric.name, metric]));
      const feedbacks = await readFeedbacks(deps, projectId, found.entries, { signal });
      return {
        counts: countArrived(found.counts, await readOpenEntries(deps, queue, { signal })),
        metrics: await context.runInTurns(annotatorAgreementSteps(feedbacks, byName)),
        complete: found.total <= found.entries.length,
      };
    });
}

/** Reads the feedback of the events that exist, without their payloads. */
async function readFeedbacks(
  { store }: DataPlaneDeps,
  projectId: string,
  entries: readonly QueueEntry[],
  options: QueryOptions,
): Promise<JsonObject[]> {
  if (entries.length === 0) return [];
  const keys = entries.map(({ eventId }) => ({ projectId, eventId, withoutPayload: true }));
  const states = await store.states.read(keys, options);
  return [...states.values()].flatMap(({ event, changes }) =>
    event && !changes?.deleted ? [event.feedback] : [],
  );
}
