import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { HELD, UNANSWERED, type onFakeModel } from './judge-journey.js';

const BATCH = 1_000;
/** Enough that each partition of the log has some. */
const LATER_EVENTS = 40;
/** Calls of one provider that run for a project at a time. */
const CALLS_AT_A_TIME = 16;
/** Generous for a busy machine; nothing below depends on it. */
const PATIENT = { withinMs: 120_000, pollIntervalMs: 250 } as const;
const TEST_WITHIN_MS = 300_000;
const LLM = { type: 'LLM', scale: 5, model_provider: 'openai', model_name: 'gpt-4o' };

/** Evaluations on request of one project that run at a time, and that wait for these. */
const [RUNNING, WAITING] = [8, 8];

/**
 * The journey of other events and requests while a model does not respond.
 * @param count events that wait for the model: more than the evaluator keeps in memory for a project
 */
export function slowJudgeJourney(
  { client, stack }: { readonly client: Client; readonly stack: Stack },
  model: ReturnType<typeof onFakeModel>,
  count: number,
): void {
  const { held } = model;

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
    `stores later events and scores them by Python while ${count} events wait for a model`,
    async () => {
      const [judged, scored] = [`unanswered ${randomUUID()}`, `scored ${randomUUID()}`];
      held.hold();
      const criteria = `${HELD} {{ outputs.text }}`;
      const metricId = await createMetric(judged, { name: 'waits', criteria, ...LLM });
      await createMetric(scored, {
        name: 'length',
        type: 'PYTHON',
        criteria: 'result = len(outputs["text"])',
      });
      const event = { event_type: 'model', event_name: judged, inputs: {}, outputs: { text: 'abc' } };
      for (let sent = 0; sent < count; sent += BATCH) {
        const events = Array.from({ length: BATCH }, () => event);
        expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
      }
      await waitFor(
        'a decision about each event',
        async () => (await decisionsOf(metricId)).total === count,
        {
          ...PATIENT,
        },
      );

      const events = Array.from({ length: LATER_EVENTS }, () => ({ ...event, event_name: scored }));
      expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
      const named = { field: 'event_name', operator: 'is', value: scored, type: 'string' };
      expect((await client.search({ filters: [named] })).count).toBe(LATER_EVENTS);
      const filters = [named, { field: 'metrics.length', operator: 'is', value: 3, type: 'number' }];
      await waitFor(
        'scores by Python',
        async () => (await client.search({ filters })).count === LATER_EVENTS,
        PATIENT,
      );

      // All of that happened before any call of the model ended.
      expect(await decisionsOf(metricId)).toMatchObject({
        decisions: [{ decision: 'pending', events: count }],
        total: count,
      });
      expect(held.open).toBe(CALLS_AT_A_TIME);
      held.release();
      const isScored = async () =>
        (await decisionsOf(metricId)).decisions.some(({ decision }) => decision === 'scored');
      await waitFor('a score by the model', isScored, PATIENT);
    },
    TEST_WITHIN_MS,
  );
}
