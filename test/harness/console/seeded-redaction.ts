import { waitFor } from '@assay/testing';
import { QueueApi } from './seeded-queue.js';
import { createRun } from './seeded-runs.js';
import { anEventOf, aSession, eventId, sendEvents } from './seeded-sessions.js';

/** Addresses of both planes, with a key of the project. */
export interface Planes {
  readonly baseUrl: string;
  readonly controlPlaneUrl: string;
  readonly apiKey: string;
}

/** Ids of what was made, by the names that paths give them. */
export interface SeededIds {
  readonly run_id: string;
  readonly queue_id: string;
  readonly metric_id: string;
  readonly dataset_id: string;
  readonly chart_id: string;
  readonly alert_id: string;
  readonly configId: string;
}

/** In every value of an event that a person could have written. */
const CANARY = 'canary for ada@example.com';
/** No name, because it has two lines. */
const UNNAMED = 'canary\nfor ada@example.com';
/** Finds the canaries in a text, however their parts are separated. */
export const CANARIES = /.{0,200}(?:canary|for ada@).{0,50}/;
/** The session with the canaries. */
export const REDACTED_SESSION = eventId(7_000);

/** Makes definitions, a run, and sessions with canaries in all values; waits until the control plane has them. */
export async function seedRedaction(planes: Planes): Promise<SeededIds> {
  const ids = await seedDefinitions(planes);
  const values = {
    ...{ inputs: { question: CANARY }, outputs: { answer: CANARY }, error: CANARY, source: UNNAMED },
    ...{ metadata: { note: CANARY, [UNNAMED]: CANARY }, user_properties: { name: CANARY } },
    ...{ config: { model: CANARY }, metrics: { accuracy: 0.5, verdict: CANARY } },
    feedback: { 'note@ada': CANARY },
  };
  await sendEvents(planes, [
    aSession(REDACTED_SESSION, UNNAMED, 900, values),
    anEventOf(REDACTED_SESSION, 10, 800, {
      ...{ event_id: eventId(7_001), event_type: 'model', event_name: UNNAMED, ...values },
    }),
    aSession(eventId(7_002), 'refund-agent', 900, { metrics: { accuracy: 0.9 } }),
  ]);
  const control = new QueueApi({ baseUrl: planes.controlPlaneUrl, apiKey: planes.apiKey });
  await waitFor(
    'the control plane has the summaries',
    async () => {
      const { sessions } = await control.call<{ sessions: { num_events: number }[] }>('GET', '/v1/sessions');
      return sessions.length === 2 && sessions.some(({ num_events: events }) => events === 1);
    },
    { withinMs: 60_000 },
  );
  return ids;
}

async function seedDefinitions(planes: Planes): Promise<SeededIds> {
  const api = new QueueApi(planes);
  const metric_id = await api.metric('tone', { return_type: 'boolean' });
  const fields = { name: 'refunds', filters: { filterArray: [] }, metric_ids: [metric_id] };
  const queue_id = await api.queue(fields);
  const slow = { name: 'slow answers', metric: 'duration', func: 'median' };
  const chart = await api.call<{ data: { id: string } }>('POST', '/v1/charts', slow);
  const late = { name: 'late answers', threshold: 5, webhook: { url: 'https://example.com/hook' } };
  const alert = await api.call<{ data: { id: string } }>('POST', '/v1/alerts', late);
  const golden = { name: 'golden questions', description: '' };
  const dataset = await api.call<{ result: Inserted }>('POST', '/v1/datasets', golden);
  const support = { name: 'support', provider: 'openai', parameters: { call_type: 'chat', model: 'gpt-4o' } };
  const configuration = await api.call<Inserted>('POST', '/v1/configurations', support);
  return {
    ...{ run_id: await createRun(planes, 'prompt-v7'), queue_id, metric_id, chart_id: chart.data.id },
    ...{ alert_id: alert.data.id, dataset_id: dataset.result.insertedId, configId: configuration.insertedId },
  };
}

interface Inserted {
  readonly insertedId: string;
}
