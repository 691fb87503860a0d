import type {
  AcceptedRequest,
  ControlPlane,
  EventDatapoint,
  ForwardedEvent,
} from '@assay/control-plane-client';
import type { KeptEvent } from '@assay/control-plane-client/test/control-plane-contract';
import type { Caller, Filter, MetricRule, ScoreRule } from '@assay/domain';

export const FILTER: Filter = { field: 'metadata.a', operator: 'in', type: 'string', value: ['x', 'y'] };
export const ENTRY = { eventId: 'e1', addedAt: '2026-11-01T00:00:00.000Z', done: false, doneAt: null };
export const BY = { keyId: 'k1', requestId: 'r1', address: '127.0.0.1' };
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

/** The newest state of forwarded events. */
export class KeptEvents {
  private readonly events = new Map<string, KeptEvent & { readonly sessionId: string }>();
  private readonly deleted = new Set<string>();

  add(forwarded: ForwardedEvent): void {
    if (forwarded.kind === 'delete') return void this.deleted.add(forwarded.eventId);
    const { event_id, session_id: sessionId, event_name: eventName, metrics } = forwarded.event;
    if ((this.events.get(event_id)?.version ?? -1) < forwarded.version) {
      this.events.set(event_id, { version: forwarded.version, eventName, metrics, sessionId });
    }
  }

  get(eventId: string): KeptEvent | undefined {
    const kept = this.events.get(eventId);
    return kept && !this.deleted.has(eventId) && !this.deleted.has(kept.sessionId) ? kept : undefined;
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

/** A control plane that knows the keys of a map, one queue and one dataset, and stores events in memory. */
export const inMemoryControlPlane = (
  keys: ReadonlyMap<string, Caller>,
  events = new KeptEvents(),
  claims = new Map<string, AcceptedRequest>(),
): ControlPlane => ({
  claimRequest: ({ projectId, key, content, at }) => {
    const name = `${projectId}/${key}`;
    const first = claims.get(name) ?? { content, at };
    claims.set(name, first);
    return Promise.resolve(first);
  },
  runs: ({ projectId, runIds }) =>
    Promise.resolve(
      projectId === 'p1' && runIds.includes(RUN.id)
        ? { runs: [{ ...RUN_RESPONSE, event_ids: [...RUN.sessionIds] }], metrics: RUN.rules }
        : { runs: [], metrics: [] },
    ),
  authenticate: (key) => Promise.resolve(keys.get(key)),
  check: () => Promise.resolve(),
  forwardEvents: (batch) => Promise.resolve(batch.forEach((forwarded) => events.add(forwarded))),
  queueFilters: ({ queueId }) => Promise.resolve(queueId === 'q1' ? [FILTER] : undefined),
  addToQueue: ({ queueId }, ids) => Promise.resolve(queueId === 'q1' && ids.length === 1_000),
  annotationMetrics: ({ eventId, names }) =>
    Promise.resolve(eventId === 'e1' && names.includes('tone') ? [RULE] : undefined),
  markQueueEvent: ({ eventId, done, by }) =>
    Promise.resolve(eventId === 'e1' && by.keyId === 'k1' ? { ...ENTRY, done } : undefined),
  createDatapoints: ({ datasetId }) => Promise.resolve(datasetId === undefined || datasetId === 'd1'),
  queueEntries: ({ queueId, limit }) =>
    Promise.resolve(queueId === 'q1' ? { total: limit, entries: [ENTRY] } : undefined),
});
