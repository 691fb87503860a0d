import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { onFakeModel } from './judge-journey.js';

interface Tried {
  readonly events: readonly { readonly event_id: string; readonly value: unknown }[];
  readonly missing_ids: readonly string[];
  readonly matched: { readonly events: number; readonly of: number };
}

/** The journey of a draft of a metric that is tried on stored events. */
export function tryMetricJourney(
  { client }: { readonly client: Client },
  model: ReturnType<typeof onFakeModel>,
): void {
  const attempt = async (body: object): Promise<Tried> => {
    const response = await client.post('/v1/metrics/try', body, { headers: { prefer: 'wait=30' } });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return response.json<Tried>();
  };
  const python = (criteria: string, fields: object = {}) => ({
    name: 'draft',
    type: 'PYTHON',
    criteria,
    ...fields,
  });
  const named = (event_name: string) => ({
    filters: {
      filterArray: [
        { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
        { field: 'event_type', operator: 'is not', value: 'session', type: 'string' },
      ],
    },
  });
  async function createEvents(event_name: string, texts: readonly string[]): Promise<string[]> {
    const start = Date.now() - 60_000;
    const events = texts.map((text, index) => ({
      ...{ event_type: 'model', event_name, event_id: randomUUID(), start_time: start + index },
      ...{ inputs: {}, outputs: { text } },
    }));
    expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
    return events.map(({ event_id }) => event_id);
  }

  it('tries a draft on events by their ids, with what it prints and the line that fails, and stores nothing', async () => {
    const name = `tried ${randomUUID()}`;
    const [one = '', two = ''] = await createEvents(name, ['abc', 'fail']);
    const unknown = randomUUID();
    const criteria = [
      'print("read", outputs["text"])',
      'result = {"score": len(outputs["text"]) if outputs["text"] != "fail" else 1 / 0, "explanation": "ok"}',
    ].join('\n');
    const metric = python(criteria, { sampling_percentage: 0, ...named('another') });
    const tried = await attempt({ metric, event_ids: [two, unknown, one] });
    expect(tried).toMatchObject({ missing_ids: [unknown], matched: { events: 0 } });
    expect(tried.events).toMatchObject([
      {
        ...{ event_id: two, value: null, stdout: 'read fail\n' },
        error: { code: 'execution_error', line: 2, message: expect.stringContaining('line 2: ') as string },
      },
      {
        ...{ event_id: one, event_name: name, event_type: 'model', matches: false, sampled: false },
        ...{ value: 3, explanation: 'ok', stdout: 'read abc\n', error: null, prompt: null, reply: null },
      },
    ]);
    const read = await client.call('GET', `/v1/events/${one}`, { headers: { prefer: 'wait=30' } });
    expect(read.json()).toMatchObject({ event: { metrics: {} } });
    // On a busy machine the control plane may need more time for the metrics than a response has.
    const found = await waitFor('the evaluations of the event', async () => {
      const response = await client.call('GET', `/v1/events/${one}/evaluations`);
      return response.status === 503 ? undefined : response;
    });
    expect([found.status, found.text]).toEqual([200, expect.any(String)]);
    expect(found.json<{ evaluations: { metric_name: string }[] }>().evaluations).not.toContainEqual(
      expect.objectContaining({ metric_name: 'draft' }),
    );
  });

  it('tries a draft on the newest events that match, and counts those among the last 1,000', async () => {
    const name = `newest ${randomUUID()}`;
    const ids = await createEvents(name, ['a', 'bb', 'ccc']);
    const metric = python('result = len(outputs["text"])', named(name));
    const tried = await attempt({ metric, newest: 2 });
    expect(tried.events).toMatchObject([
      { event_id: ids[2], value: 3, matches: true },
      { event_id: ids[1], value: 2, matches: true },
    ]);
    expect(tried.matched.events).toBe(3);
    expect(tried.matched.of).toBeGreaterThanOrEqual(3);
    expect(tried.matched.of).toBeLessThanOrEqual(1_000);
  });

  it('shows the prompt and the reply of a model, and the line of a template', async () => {
    const [id = ''] = await createEvents(`prompts ${randomUUID()}`, [`{{ 7 * 7 }} ${randomUUID()}`]);
    const model_parameters = { temperature: 0.5, max_tokens: 50 };
    const model_name = 'gpt-4o';
    const judge = { name: 'draft', type: 'LLM', model_provider: 'openai', model_name, model_parameters };
    const metric = { ...judge, criteria: 'Rate {{ outputs.text }}' };
    const [event] = (await attempt({ metric, event_ids: [id] })).events;
    expect(event).toMatchObject({
      ...{ value: 4, reply: 'It is good. Rating: [[4]]', error: null, prompt_tokens: 100, cost: 0.000_45 },
      prompt: expect.stringMatching(/^Rate \{\{ 7 \* 7 \}\} /) as string,
    });
    const wrong = { ...judge, criteria: 'a\n{{ inputs.missing + 1 }}' };
    const [failed] = (await attempt({ metric: wrong, event_ids: [id] })).events;
    expect(failed).toMatchObject({
      value: null,
      error: { code: 'template_render_error', line: 2 },
      reply: null,
    });
    expect(model.requestsWith('Rate {{ 7 * 7 }}')).toMatchObject([{ body: model_parameters }]);
  });

  it('combines scores, and names a missing ground truth', async () => {
    const session_id = randomUUID();
    await client.post('/v1/sessions', { session_id, session_name: 's' });
    const event = { event_type: 'model', session_id, inputs: {}, outputs: {} };
    const created = await client.post('/v1/events', { ...event, metrics: { a: 1, b: 4 } });
    const { event_id } = created.json<{ event_id: string }>();
    const metric = {
      ...{ name: 'draft', type: 'COMPOSITE', criteria: 'weighted average' },
      child_metrics: ['a', 'b'].map((name) => ({ name, weight: 1 })),
    };
    const { events } = await attempt({ metric, event_ids: [event_id, session_id] });
    expect(events.map(({ value }) => value)).toEqual([2.5, 2.5]);
    const needy = python('result = 1', { needs_ground_truth: true });
    const [without] = (await attempt({ metric: needy, event_ids: [event_id] })).events;
    expect(without).toMatchObject({ value: null, error: { code: 'no_ground_truth' } });
  });

  it.each([
    ['too many events', { event_ids: Array.from({ length: 51 }, () => randomUUID()) }, 'event_ids'],
    ['too many newest events', { newest: 51 }, 'newest'],
    ['an id that is no UUID', { event_ids: ['x'] }, 'event_ids'],
    ['no model', { metric: { name: 'm', type: 'LLM', criteria: 'x' } }, 'metric.model_provider'],
  ])('responds 400 to %s', async (_, fields, message) => {
    const response = await client.post('/v1/metrics/try', { metric: python('result = 1'), ...fields });
    expect([response.status, response.json<{ message: string }>().message]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });
}
