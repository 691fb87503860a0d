import { randomUUID } from 'node:crypto';
import { chatCompletion, startFakeProvider, type FakeProvider } from '@assay/judges/test/fake-provider';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { HeldPrompts } from './held-prompts.js';

interface Evaluation {
  readonly metric_name: string;
  readonly decision: string;
  readonly attempts: number;
}

/** A prompt with this text gets status 500. */
export const REFUSED = 'the fake model refuses';
/** A prompt with this text gets no response. */
export const UNANSWERED = 'the fake model does not respond';
/** A prompt with this text gets no response before it is released. */
export const HELD = 'the fake model is to wait';
/** Key that the product sends to the fake model. */
export const MODEL_KEY = 'sk-canary-4711';
/** Generous: a consumer group keeps the partitions of a killed member for a while. */
const PATIENT = { withinMs: 90_000, pollIntervalMs: 100 } as const;

/**
 * A fake model on loopback that starts before the tests of the surrounding `describe`: it rates everything 4, responds 500
 * to a prompt that contains `REFUSED`, not at all to one that contains `UNANSWERED`, and later to one that contains `HELD`.
 */
export function onFakeModel() {
  let provider: FakeProvider | undefined;
  let open = 0;
  const held = new HeldPrompts();
  beforeAll(async () => {
    provider = await startFakeProvider([
      (response, { body }) => {
        const prompt = JSON.stringify(body.messages);
        if (prompt.includes(UNANSWERED)) {
          open++;
          response.once('close', () => open--);
          return;
        }
        if (prompt.includes(HELD)) return held.receive({ prompt, response });
        const isRefused = prompt.includes(REFUSED);
        const content = isRefused
          ? { error: { code: 'broken' } }
          : chatCompletion('It is good. Rating: [[4]]');
        response.writeHead(isRefused ? 500 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(content));
      },
    ]);
  });
  afterAll(() => provider?.close());
  return {
    environment: () => ({
      LLM_PROXY_URL: `${provider?.url}/v1`,
      LLM_PROXY_API_KEY: MODEL_KEY,
      // A slow machine ends no call that a test holds.
      LLM_PROXY_TIMEOUT_MS: '600000',
    }),
    /** Requests without a response whose client waits. */
    open: () => open,
    held,
    /** Requests whose prompt contains this text. */
    requestsWith: (text: string) =>
      (provider?.requests ?? []).filter(({ body }) => JSON.stringify(body.messages).includes(text)),
  };
}

/**
 * The journey of a score by a model: asked once, stored with its cost, and an error when the model fails.
 * @param evaluator name of the process that evaluates
 */
export function judgeJourney(
  { stack, client }: { readonly stack: Stack; readonly client: Client },
  model: ReturnType<typeof onFakeModel>,
  evaluator: string,
): void {
  async function createMetric(event_name: string, fields: object = {}): Promise<void> {
    const filterArray = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: 'event_type', operator: 'is not', value: 'session', type: 'string' },
    ];
    const metric = {
      ...{ name: 'quality', type: 'LLM', scale: 5, enabled_in_prod: true, sampling_percentage: 100 },
      criteria: 'Rate this from 1 to 5: {{ outputs.text }}',
      ...{ model_provider: 'openai', model_name: 'gpt-4o', filters: { filterArray } },
    };
    expect((await client.post('/v1/metrics', { ...metric, ...fields })).status).toBe(200);
  }

  const createEvent = (event_name: string, fields: object) =>
    client.post('/v1/events', { event_type: 'model', event_name, inputs: {}, ...fields });
  const evaluationOf = async (id: string) => {
    const headers = { prefer: 'wait=30' };
    const response = await client.call('GET', `/v1/events/${id}/evaluations`, { headers });
    return response.json<{ evaluations: Evaluation[] }>().evaluations[0];
  };
  const decisionBecomes = (id: string, decision: string) =>
    waitFor(`decision ${decision}`, async () => (await evaluationOf(id))?.decision === decision, PATIENT);

  it('scores an event by a model once, with explanation, tokens and cost', async () => {
    const [name, event_id] = [`judged ${randomUUID()}`, randomUUID()];
    const text = `{{ 7 * 7 }} ${event_id}`;
    await createMetric(name);
    await createEvent(name, { event_id, outputs: { text } });
    await decisionBecomes(event_id, 'scored');
    expect(await evaluationOf(event_id)).toMatchObject({
      ...{ metric_name: 'quality', metric_version: 'v1', value: 4, error_code: null, attempts: 1 },
      explanation: expect.stringContaining('It is good.') as string,
      ...{ prompt_tokens: 100, completion_tokens: 20, cost: 0.000_45 },
    });
    const stored = await client.call('GET', `/v1/events/${event_id}`, { headers: { prefer: 'wait=30' } });
    expect(stored.json()).toMatchObject({ event: { metrics: { quality: 4 } } });
    const [request] = model.requestsWith(text);
    expect(request?.headers.authorization).toBe(`Bearer ${MODEL_KEY}`);
    expect(request?.body).toMatchObject({ model: 'gpt-4o', temperature: 0 });
  });

  it('asks a model once about an event that is delivered again, also after a restart', async () => {
    const [name, event_id] = [`redelivered ${randomUUID()}`, randomUUID()];
    const event = { event_id, outputs: { text: event_id } };
    await createMetric(name);
    await createEvent(name, event);
    await decisionBecomes(event_id, 'scored');
    await createEvent(name, event);
    await stack.kill(evaluator);
    await stack.start(evaluator);
    await createEvent(name, event);
    const again = `${event_id} again`;
    await client.call('PUT', `/v1/events/${event_id}`, { body: { outputs: { text: again } } });
    await waitFor('a request', () => Promise.resolve(model.requestsWith(again).length > 0), PATIENT);
    expect(model.requestsWith(event_id)).toHaveLength(2);
  });

  it('ends with an error after the retries when the model fails', async () => {
    const [name, event_id] = [`refused ${randomUUID()}`, randomUUID()];
    const text = `${REFUSED} ${event_id}`;
    await createMetric(name);
    await createEvent(name, { event_id, outputs: { text } });
    await decisionBecomes(event_id, 'error');
    expect(await evaluationOf(event_id)).toMatchObject({
      ...{ error_code: 'execution_error', value: null, cost: 0 },
      reason: 'the provider responded 500 (broken)',
    });
    expect(model.requestsWith(text)).toHaveLength(3);
    const stored = await client.call('GET', `/v1/events/${event_id}`, { headers: { prefer: 'wait=30' } });
    expect(stored.json<{ event: { metrics: object } }>().event.metrics).toEqual({});
  });

  it('names the line of a template that cannot be rendered, and sends nothing', async () => {
    const [name, event_id] = [`template ${randomUUID()}`, randomUUID()];
    await createMetric(name, { criteria: 'Rate:\n{{ inputs.missing + 1 }}' });
    await createEvent(name, { event_id, outputs: { text: event_id } });
    await decisionBecomes(event_id, 'error');
    expect(await evaluationOf(event_id)).toMatchObject({
      error_code: 'template_render_error',
      reason: expect.stringContaining('line 2') as string,
    });
    expect(model.requestsWith(event_id)).toEqual([]);
  });
}
