import type { ControlPlane, QueueEntry } from '@assay/control-plane-client';
import { acceptFilters, type ScoreRule } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Metric } from '../metrics/metric-document.js';
import { type MetricDeps, MetricRepository } from '../metrics/metric-repository.js';
import { undefinedIfNotFound } from '../shared/undefined-if-not-found.js';
import type { QueueEntryDocument } from './queue-entries.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

type AboutQueues = Pick<
  ControlPlane,
  'queueEntries' | 'queueFilters' | 'addToQueue' | 'annotationMetrics' | 'markQueueEvent'
>;

/** Maximum length of all definitions that a response contains, in characters of JSON. Data planes read 4 MiB. */
const MAX_RULES_LENGTH = 1024 * 1024;

/**
 * Queue operations for data planes, which hold the events. The control plane stores which events are in a
 * queue.
 */
export function queuesForDataPlane(deps: QueueDeps & MetricDeps): AboutQueues {
  const of = (projectId: string) => new QueueRepository(deps, projectId);
  return {
    queueEntries: ({ projectId, queueId, ...page }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        const { entries, total } = await of(projectId).entries.page(queue.id, page);
        return { entries: entries.map((entry) => toQueueEntry(entry)), total };
      }),
    queueFilters: ({ projectId, queueId }) =>
      undefinedIfNotFound(async () =>
        acceptFilters((await of(projectId).getExisting(queueId)).filters.filterArray, 'lenient'),
      ),
    addToQueue: async ({ projectId, queueId }, eventIds) => {
      const queue = await undefinedIfNotFound(() => of(projectId).getExisting(queueId));
      if (queue) await of(projectId).entries.add(queue.id, eventIds);
      return queue !== undefined;
    },
    annotationMetrics: ({ projectId, queueId, eventId, names }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        if (!(await of(projectId).entries.get(queue.id, eventId))) return undefined;
        return scoreRules(new MetricRepository(deps, projectId), names);
      }),
    markQueueEvent: ({ projectId, queueId, eventId, done, by }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        const completion = done ? { at: deps.now().toISOString(), by: by.keyId } : undefined;
        const entry = await of(projectId).entries.setDone(queue.id, eventId, completion);
        return entry && toQueueEntry(entry);
      }),
  };
}

/**
 * Returns what the scores of these metrics must satisfy. @throws AppError `VALIDATION_ERROR` if the definitions are
 * larger than a response to a data plane
 */
async function scoreRules(metrics: MetricRepository, names: readonly string[]): Promise<ScoreRule[]> {
  const rules: ScoreRule[] = [];
  let length = 0;
  for (const name of names)
    for await (const page of metrics.humanMetrics(name)) {
      const found = page.map(toScoreRule);
      length += JSON.stringify(found).length;
      if (length > MAX_RULES_LENGTH)
        throw validationError('metrics have too many categories together, score fewer of them in a request');
      rules.push(...found);
    }
  return rules;
}

function toScoreRule({ name, return_type, scale, categories }: Metric): ScoreRule {
  return { name, return_type, scale, categories };
}

function toQueueEntry(entry: QueueEntryDocument): QueueEntry {
  return { eventId: entry.event_id, addedAt: entry.added_at, done: entry.is_done, doneAt: entry.done_at };
}
