import type {
  AcceptedRequest,
  ClaimedAlert,
  ControlPlane,
  EventDatapoint,
  ForwardedEvent,
  ForwardedSession,
  QueueEntry,
} from '@assay/control-plane-client';
import { EXPIRY, EXPORT, type KeptSession } from '@assay/control-plane-client/test/control-plane-contract';
import type { ChartResponse } from '@assay/contracts';
import {
  acceptDateRange,
  newMetric,
  NO_COUNTS,
  type BackfillJob,
  type Caller,
  type DeployedMetric,
  type EvaluationJob,
  type Filter,
  type MetricRule,
  type ScoreRule,
} from '@assay/domain';

export const FILTER: Filter = { field: 'metadata.a', operator: 'in', type: 'string', value: ['x', 'y'] };
export const ENTRY: QueueEntry = {
  eventId: 'e1',
  addedAt: '2026-11-01T00:00:00.000Z',
  done: false,
  doneAt: null,
  status: 'leased',
  lease: { annotator: 'anna', until: '2026-11-01T00:10:00.000Z' },
  annotator: null,
  doneBy: null,
  version: 3,
};
export const COUNTS = { pending: 1, leased: 2, done: 3, skipped: 4 };
export const BY = { keyId: 'k1', requestId: 'r1', address: '127.0.0.1' };
/** A project that the control plane in memory has deleted. */
export const DELETED_PROJECT = 'deleted';
export const RULE: ScoreRule = {
  name: 'tone',
  return_type: 'categorical',
  scale: null,
  categories: [{ category: 'kind', score: 1 }],
};

export const datapoint = (id: string, text = 'x'): EventDatapoint => ({
  id,
  inputs: JSON.parse(`{"__proto__":${JSON.stringify(text)}}`) as EventDatapoint['inputs'],
  history: [{ role: 'user' }],
  ground_truth: null,
  metadata: null,
  linked_event: 'e1',
});

/** The newest state of forwarded sessions, and the events in a queue that takes every model event. */
export class ForwardedStates {
  private readonly sessions = new Map<string, ForwardedSession>();
  private readonly queued = new Map<string, string>();
  private readonly deleted = new Set<string>();

  add(forwarded: ForwardedEvent): void {
    if (forwarded.kind === 'delete') {
      for (const id of [forwarded.eventId, ...(forwarded.memberIds ?? [])]) this.queued.delete(id);
      this.deleted.add(forwarded.eventId);
    } else if (forwarded.kind === 'event') {
      const { event_id, session_id, event_type } = forwarded.event;
      if (event_type === 'model') this.queued.set(event_id, session_id);
    } else {
      const known = this.sessions.get(forwarded.summary.session_id);
      if (!known || BigInt(known.watermark) <= BigInt(forwarded.watermark))
        this.sessions.set(forwarded.summary.session_id, forwarded);
    }
  }

  /** Removes events from the queue. */
  unqueue(eventIds: readonly string[]): void {
    for (const id of eventIds) this.queued.delete(id);
  }

  kept(sessionId: string): KeptSession | undefined {
    const session = this.sessions.get(sessionId);
    if (!session || this.deleted.has(sessionId)) return undefined;
    const { session_name: name, metrics } = session.summary;
    return { watermark: session.watermark, name, metrics };
  }

  queuedEvents(): readonly string[] {
    return [...this.queued].flatMap(([id, session]) =>
      this.deleted.has(id) || this.deleted.has(session) ? [] : id,
    );
  }
}

/** A run with 70,000 sessions, and the rules of its project: more than one page of the internal API. */
export const RUN = {
  id: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
  sessionIds: Array.from({ length: 70_000 }, (_, index) => `session-${index}`.padEnd(36, 'x')),
  rules: ['accuracy', 'latency', 'tone'].map((name): MetricRule => ({
    name,
    type: 'PYTHON',
    criteria: '',
    return_type: 'float',
    direction: 'higher',
    threshold: { min: 0.5 },
    categories: null,
    child_metrics: null,
    filters: { filterArray: [] },
    is_active: name !== 'tone',
  })),
};

/** The metrics of the project in their deployed versions. */
const DEPLOYED = ['accuracy', 'accuracy', 'latency'].map((name, index): DeployedMetric => ({
  ...newMetric({ name, type: 'PYTHON', criteria: 'def f(event): return 1' }),
  id: `metric-${index}`,
  version: 'v1',
}));

const JOB: EvaluationJob = {
  ...{ projectId: 'p1', jobId: 'j1', metricId: 'metric-0', filters: [FILTER], from: null, to: 2_000 },
  ...{ createdAt: 1_000, cursor: null, counts: NO_COUNTS },
};

const { metricId: _, ...STORED_EVENTS } = JOB;
export const BACKFILL: BackfillJob = { ...STORED_EVENTS, jobId: 'j2', queueId: 'q1' };

const RUN_RESPONSE = {
  id: RUN.id,
  run_id: RUN.id,
  name: 'prompt v2',
  description: null,
  status: 'completed',
  is_active: true,
  metadata: {},
  results: {},
  metrics: {},
  configuration: {},
  event_ids: RUN.sessionIds,
  dataset_id: null,
  dataset_name: null,
  scope_type: 'project',
  scope_id: 'p1',
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
} as const;
export const CHART: ChartResponse = {
  id: '65c13dbbd65fb876b7886cdb',
  name: 'latency',
  description: null,
  metric: 'duration',
  func: null,
  groupBy: null,
  bucketing: 'day',
  dateRange: null,
  query: [{ field: 'event_type', value: 'model', type: 'string', operator: 'is' }],
  owner_id: null,
  is_active: true,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};
const MODEL_EVENTS: Filter = { field: 'event_type', operator: 'is', type: 'string', value: 'model' };

/** One job of project p1, which is free at the beginning, and a backfill, which has no lease. */
function inMemoryJob(): Pick<ControlPlane, 'claimJob' | 'startBackfill' | 'claimBackfill' | 'saveJob'> {
  let [owner, isRunning] = ['', true];
  return {
    claimJob: (claim) => {
      if (owner !== '' || !isRunning || claim.busyProjectIds.includes('p1'))
        return Promise.resolve(undefined);
      owner = claim.owner;
      return Promise.resolve(JOB);
    },
    startBackfill: ({ queueId }) =>
      Promise.resolve(
        queueId === 'q1' ? { outcome: 'started', job: BACKFILL } : { outcome: 'no_queue', job: null },
      ),
    claimBackfill: ({ busyProjectIds }) =>
      Promise.resolve(busyProjectIds.includes('p1') ? undefined : BACKFILL),
    saveJob: ({ projectId, owner: by, state, releases }) => {
      if (projectId !== 'p1' || by !== owner || !isRunning) return Promise.resolve(false);
      isRunning = state === 'running';
      if (releases) owner = '';
      return Promise.resolve(isRunning);
    },
  };
}

export const ALERT: ClaimedAlert = {
  ...{ projectId: 'p1', alertId: 'a1', revision: 1, metric: 'duration', func: 'p95', query: [] },
  part: [{ field: 'error', operator: 'exists', type: 'string' }],
  ...{ operator: 'above', compare: 'value', threshold: 5, resolve_threshold: null, window_minutes: 5 },
  ...{ ends: [60_000], missed: 0, lateMs: 0 },
};

/** One alert of project p1, which is due at the beginning and has a message after its first window. */
function inMemoryAlert(): Pick<ControlPlane, 'claimAlert' | 'saveAlert'> {
  let [owner, isDue] = ['', true];
  return {
    claimAlert: (claim) => {
      if (owner !== '' || !isDue || claim.busyProjectIds.includes('p1')) return Promise.resolve(undefined);
      owner = claim.owner;
      return Promise.resolve(ALERT);
    },
    saveAlert: ({ projectId, owner: by, windows }) => {
      const nothing = { deliveries: [], entered: [], failed: 0, dropped: 0 };
      if (projectId !== 'p1' || by !== owner) return Promise.resolve(nothing);
      if (windows.length === 0) [owner, isDue] = ['', false];
      const message = { id: 'm1', url: 'https://example.com', secret: null, body: '{}' };
      return Promise.resolve(
        windows.length === 0 ? nothing : { ...nothing, deliveries: [message], entered: ['firing'] },
      );
    },
  };
}

/** A control plane that knows the keys of a map, one queue and one dataset, and stores events in memory. */
export const inMemoryControlPlane = (
  keys: ReadonlyMap<string, Caller>,
  events = new ForwardedStates(),
  claims = new Map<string, AcceptedRequest>(),
): ControlPlane => ({
  claimRequest: ({ projectId, key, content, at }) => {
    const name = `${projectId}/${key}`;
    const first = claims.get(name) ?? { content, at };
    claims.set(name, first);
    return Promise.resolve(first);
  },
  runs: ({ projectId, runIds, withoutRules }) =>
    Promise.resolve(
      projectId === 'p1' && runIds.includes(RUN.id)
        ? {
            runs: [{ ...RUN_RESPONSE, event_ids: [...RUN.sessionIds] }],
            metrics: withoutRules ? [] : RUN.rules,
          }
        : { runs: [], metrics: [] },
    ),
  deployedMetrics: ({ projectId, after }) =>
    Promise.resolve({
      metrics: projectId === 'p1' ? DEPLOYED.slice(Number(after), Number(after) + 1) : [],
      next: projectId === 'p1' && Number(after) < DEPLOYED.length ? String(Number(after) + 1) : null,
    }),
  ...inMemoryJob(),
  ...inMemoryAlert(),
  reportModels: () => Promise.resolve(),
  runLinks: async ({ projectId, dateRange }) => {
    acceptDateRange(dateRange, 0);
    const links = projectId === 'p1' ? [{ runId: RUN.id, sessionIds: RUN.sessionIds.slice(0, 5_000) }] : [];
    const total = links.length;
    const pages = { page: 1, limit: 20, total_pages: total, has_next: false, has_prev: false };
    return Promise.resolve({ links, pagination: { ...pages, total, total_unfiltered: total } });
  },
  chart: ({ projectId, chartId }) =>
    Promise.resolve(projectId === 'p1' && chartId === CHART.id ? CHART : undefined),
  authenticate: (key) => Promise.resolve(keys.get(key)),
  authenticateAdministrator: () => Promise.resolve(undefined),
  authenticatePerson: () => Promise.resolve({ caller: null, refusal: null }),
  signInProvider: () => Promise.resolve(undefined),
  completeSignIn: () => Promise.resolve({ session: null, problem: 'refused' }),
  projectsOfPerson: () => Promise.resolve([]),
  deletedProjects: (ids) => Promise.resolve(ids.filter((id) => id === DELETED_PROJECT)),
  retentions: () => Promise.resolve({ projects: [{ projectId: 'p1', ...EXPIRY }], next: null }),
  exports: () =>
    Promise.resolve({ projects: [{ projectId: 'p1', projectName: 'bot', ...EXPORT }], next: null }),
  removeExpired: ({ projectId, expired }) => {
    if (projectId !== 'p1') return Promise.resolve([]);
    const idsOf = (found: typeof expired) => found.map(({ eventId }) => eventId);
    events.unqueue(idsOf(expired.filter(({ runId }) => runId !== RUN.id)));
    return Promise.resolve(idsOf(expired.filter(({ runId }) => runId === RUN.id)));
  },
  recordDeletion: () => Promise.resolve(),
  recordAdministration: () => Promise.resolve(),
  check: () => Promise.resolve(),
  forwardEvents: (batch) => Promise.resolve(batch.forEach((forwarded) => events.add(forwarded))),
  routingFilters: (ids) =>
    Promise.resolve(
      ids.filter((id) => id === 'p1').map((projectId) => ({ projectId, queues: [[MODEL_EVENTS]] })),
    ),
  queueFilters: ({ queueId }) => Promise.resolve(queueId === 'q1' ? [FILTER] : undefined),
  addToQueue: ({ queueId }, ids) => Promise.resolve(queueId === 'q1' && ids.length === 1_000),
  annotationMetrics: ({ eventId, names }) =>
    Promise.resolve(eventId === 'e1' && names.includes('tone') ? [RULE] : undefined),
  markQueueEvent: ({ eventId, done, by }) =>
    Promise.resolve(eventId === 'e1' && by.keyId === 'k1' ? { ...ENTRY, done } : undefined),
  leaseQueueEvent: ({ eventId, annotator }) =>
    Promise.resolve(
      eventId === 'e1' && annotator === 'anna'
        ? { outcome: 'ok', entry: ENTRY, counts: COUNTS }
        : { outcome: 'no_event', entry: null, counts: null },
    ),
  createDatapoints: ({ datasetId }) => Promise.resolve(datasetId === undefined || datasetId === 'd1'),
  queueEntries: ({ queueId, limit }) =>
    Promise.resolve(queueId === 'q1' ? { total: limit, entries: [ENTRY], counts: COUNTS } : undefined),
});
