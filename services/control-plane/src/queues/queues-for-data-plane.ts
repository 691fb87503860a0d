import type { ControlPlane, QueueLease } from '@assay/control-plane-client';
import { acceptFilters, annotatorOfKey, EVALUATED_TYPES, explainedBy, type ScoreRule } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { JobDeps } from '../jobs/job-document.js';
import type { Metric } from '../metrics/metric-document.js';
import { type MetricDeps, MetricRepository } from '../metrics/metric-repository.js';
import { undefinedIfNotFound } from '../shared/undefined-if-not-found.js';
import type { Queue } from './queue-document.js';
import { entryId, type QueueEntries } from './queue-entries.js';
import { toQueueEntry } from './queue-entry-state.js';
import type { LeaseOutcome } from './queue-leases.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';
import { makeStartBackfill } from './start-backfill.js';

type AboutQueues = Pick<
  ControlPlane,
  | 'queueEntries'
  | 'queueFilters'
  | 'addToQueue'
  | 'startBackfill'
  | 'annotationMetrics'
  | 'markQueueEvent'
  | 'leaseQueueEvent'
>;

/** Maximum length of all definitions that a response contains, in characters of JSON. Data planes read 4 MiB. */
const MAX_RULES_LENGTH = 1024 * 1024;

/**
 * Queue operations for data planes, which hold the events. The control plane stores which events are in a
 * queue.
 */
export function queuesForDataPlane(deps: QueueDeps & MetricDeps & JobDeps): AboutQueues {
  const of = (projectId: string) => new QueueRepository(deps, projectId);
  return {
    queueEntries: ({ projectId, queueId, ...page }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        const { entries } = of(projectId);
        const found = await entries.page(queue.id, page);
        const wire = found.entries.map((entry) => toQueueEntry(entry, deps.now()));
        return { entries: wire, total: found.total, counts: await entries.counts(queue.id) };
      }),
    queueFilters: ({ projectId, queueId }) =>
      undefinedIfNotFound(async () =>
        acceptFilters((await of(projectId).getExisting(queueId)).filters.filterArray, 'stored'),
      ),
    addToQueue: async ({ projectId, queueId }, eventIds) => {
      const queue = await undefinedIfNotFound(() => of(projectId).getExisting(queueId));
      if (queue) await of(projectId).entries.add(queue.id, eventIds);
      return queue !== undefined;
    },
    startBackfill: makeStartBackfill(deps),
    annotationMetrics: ({ projectId, queueId, eventId, names, withOthers = false }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        if (!(await of(projectId).entries.get(queue.id, eventId))) return undefined;
        const metrics = new MetricRepository(deps, projectId);
        const rules = await scoreRules(metrics, names, queue);
        return withOthers ? [...rules, ...(await otherRules(metrics, names))] : rules;
      }),
    markQueueEvent: ({ projectId, queueId, eventId, done, by, ...more }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        const { status = done ? 'done' : 'pending', annotator = annotatorOfKey(by.keyId) } = more;
        const completion = { at: deps.now().toISOString(), by: by.keyId, annotator };
        const entry = await of(projectId).entries.setState(queue, eventId, status, completion);
        return entry && toQueueEntry(entry, deps.now());
      }),
    leaseQueueEvent: async (lease) => {
      const queue = await undefinedIfNotFound(() => of(lease.projectId).getExisting(lease.queueId));
      if (!queue) return { outcome: 'no_queue', entry: null, counts: null };
      const { entries } = of(lease.projectId);
      const { outcome, entry } = await changeLease(entries, lease);
      return {
        outcome,
        entry: entry ? toQueueEntry(entry, deps.now()) : null,
        counts: await entries.counts(queue.id),
      };
    },
  };
}

function changeLease({ leases }: QueueEntries, lease: QueueLease): Promise<LeaseOutcome> {
  const { action, queueId, eventId = '' } = lease;
  switch (action) {
    case 'next':
      return leases.next(queueId, lease);
    case 'hold':
      return leases.hold(entryId(queueId, eventId), lease);
    case 'release':
      return leases.release(entryId(queueId, eventId), lease);
  }
}

/**
 * Returns what the scores of these metrics must satisfy, of those that the queue asks for. @throws AppError `VALIDATION_ERROR` if the definitions are
 * larger than a response to a data plane
 */
async function scoreRules(
  metrics: MetricRepository,
  names: readonly string[],
  { metric_ids }: Pick<Queue, 'metric_ids'>,
): Promise<ScoreRule[]> {
  const asked = metric_ids && new Set(metric_ids);
  const rules: ScoreRule[] = [];
  let length = 0;
  for (const name of names)
    for await (const page of metrics.humanMetrics(name)) {
      const found = page.filter(({ id }) => !asked || asked.has(id)).map(toScoreRule);
      length += JSON.stringify(found).length;
      if (length > MAX_RULES_LENGTH)
        throw validationError('metrics have too many categories together, score fewer of them in a request');
      rules.push(...found);
    }
  return rules;
}

/** The metrics that people do not score, and that have the name of an explanation. */
async function otherRules(metrics: MetricRepository, names: readonly string[]): Promise<ScoreRule[]> {
  const explanations = names.filter((name) => explainedBy(name) !== undefined);
  const found: ScoreRule[] = [];
  for (const type of EVALUATED_TYPES)
    if (explanations.length > 0)
      for (const { name, return_type } of await metrics.named(type, explanations))
        found.push({ name, return_type, scale: null, categories: null, by_people: false });
  return found;
}

function toScoreRule({ name, return_type, scale, categories }: Metric): ScoreRule {
  return { name, return_type, scale, categories };
}
