import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { UNANSWERED, type onFakeModel } from './judge-journey.js';

/** More than the evaluator keeps in memory for a project. */
const EVENTS = 10_000;
const BATCH = 1_000;
/** Calls of one provider that run for a project at a time. */
const CALLS_AT_A_TIME = 16;
/** Generous for a busy machine; nothing below depends on it. */
const PATIENT = { withinMs: 120_000, pollIntervalMs: 250 } as const;
const TEST_WITHIN_MS = 300_000;
const LLM = { type: 'LLM', scale: 5, model_provider: 'openai', model_name: 'gpt-4o' };

/** Evaluations on request of one project that run at a time, and that wait for these. */
const [RUNNING, WAITING] = [8, 8];

/** The journey of other events and requests while a model does not respond. */
export function slowJudgeJourney(
  { client, stack }: { readonly client: Client; readonly stack: Stack },
  model: ReturnType<typeof onFakeModel>,
): void {
  async function createMetric(event_name: string, fields: object): Promise<string> {
    const filterArray = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: 'event_type', operator: 'is not', value: 'session', type: 'string' },
    ];
    const metric = { enabled_in_prod: true, sampling_percentage: 100, filters: { filterArray }, ...fields };
    const response = await client.post('/v1/metrics', metric);
    expect(response.status).toBe(200);
    return response.json<{ metric_id: string }>().metric_id;
  }

  const decisionsOf = async (metricId: string) =>
    (await client.call('GET', `/v1/metrics/${metricId}/decisions`)).json<{
      decisions: { decision: string; events: number }[];
      total: number;
    }>();

  /** Resolves to the status, or 0 when the request was aborted. */
  const runUnanswered = (signal: AbortSignal): Promise<number> =>
    fetch(`${stack.baseUrl}/v1/metrics/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ metric: { name: 'm', criteria: UNANSWERED, ...LLM }, event: {} }),
      signal,
    }).then(
      ({ status }) => status,
      () => 0,
    );

  it('refuses a request more than may run and wait, and ends the calls of clients that disconnect', async () => {
    const clients = new AbortController();
    const requests = Array.from({ length: RUNNING + WAITING + 1 }, () => runUnanswered(clients.signal));
    expect(await Promise.race(requests)).toBe(503);
    await waitFor('calls of the model', () => Promise.resolve(model.open() === RUNNING), PATIENT);
    clients.abort();
    const statuses = await Promise.all(requests);
    // On a slow machine some of those that wait may have waited too long.
    expect(new Set(statuses)).toEqual(new Set([0, 503]));
    expect(statuses.filter((status) => status === 0).length).toBeGreaterThanOrEqual(RUNNING);
    await waitFor('no calls of the model', () => Promise.resolve(model.open() === 0), PATIENT);
    const metric = { name: 'm', type: 'PYTHON', criteria: 'result = 1' };
    expect((await client.post('/v1/metrics/run', { metric, event: {} })).status).toBe(200);
  });

  it(
    `scores by Python while ${EVENTS} events wait for a model`,
    async () => {
      const [judged, scored] = [`unanswered ${randomUUID()}`, `scored ${randomUUID()}`];
      const criteria = `${UNANSWERED} {{ outputs.text }}`;
      const metricId = await createMetric(judged, { name: 'waits', criteria, ...LLM });
      await createMetric(scored, {
        name: 'length',
        type: 'PYTHON',
        criteria: 'result = len(outputs["text"])',
      });
      const event = { event_type: 'model', event_name: judged, inputs: {}, outputs: { text: 'abc' } };
      for (let sent = 0; sent < EVENTS; sent += BATCH) {
        const events = Array.from({ length: BATCH }, () => event);
        expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
      }
      await waitFor(
        'a decision about each event',
        async () => (await decisionsOf(metricId)).total === EVENTS,
        {
          ...PATIENT,
        },
      );

      const event_id = randomUUID();
      await client.post('/v1/events', { ...event, event_id, event_name: scored });
      const filters = [{ field: 'metrics.length', operator: 'is', value: 3, type: 'number' }];
      await waitFor('a score by Python', async () => (await client.search({ filters })).count === 1, PATIENT);

      const { decisions } = await decisionsOf(metricId);
      // A few calls may have reached their time limit on a slow machine.
      expect(decisions.find(({ decision }) => decision === 'pending')?.events).toBeGreaterThan(EVENTS * 0.9);
      expect(decisions.map(({ decision }) => decision)).not.toContain('scored');
      expect(model.open()).toBeLessThanOrEqual(CALLS_AT_A_TIME);
      expect(model.requestsWith(UNANSWERED).length).toBeGreaterThan(0);
    },
    TEST_WITHIN_MS,
  );
}
