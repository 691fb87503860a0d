import { randomUUID } from 'node:crypto';
import type { Client } from '../harness/stack/client.js';
import { REFUSED, type onFakeModel } from './judge-journey.js';

const PATHS = ['/v1/metrics/run', '/v1/metrics/run_metric'] as const;
const python = (criteria: string, fields: object = {}) => ({
  name: 'm',
  type: 'PYTHON',
  criteria,
  ...fields,
});
const llm = (criteria: string, fields: object = {}) => ({
  ...{ name: 'm', type: 'LLM', criteria, model_provider: 'openai', model_name: 'gpt-4o' },
  ...fields,
});
const composite = (...children: string[]) => ({
  ...{ name: 'm', type: 'COMPOSITE', criteria: 'weighted average' },
  child_metrics: children.map((name) => ({ name, weight: 1 })),
});

/** The journey of a metric that is tried on one event before it is created. */
export function runMetricJourney(
  { client }: { readonly client: Client },
  model: ReturnType<typeof onFakeModel>,
): void {
  const run = (metric: object, event: object = {}, path: string = PATHS[0]) =>
    client.post(path, { metric, event });

  it.each([
    [
      'in Python',
      python('def m(outputs):\n    return {"score": len(outputs["text"]), "explanation": "ok"}'),
      { outputs: { text: 'abc' } },
      { result: 3, explanation: 'ok' },
    ],
    [
      'that sees fields which events do not have',
      python('result = event["workspace_id"] == "w"', { return_type: 'boolean' }),
      { workspace_id: 'w' },
      { result: true, explanation: null },
    ],
    [
      'that needs a ground truth',
      python('result = feedback["ground_truth"]', { needs_ground_truth: true }),
      { feedback: { ground_truth: 7 } },
      { result: 7, explanation: null },
    ],
    [
      'by a model',
      llm('Rate {{ outputs.text }}'),
      { outputs: { text: 'this' } },
      { result: 4, explanation: expect.stringContaining('It is good.') as string },
    ],
    [
      'that sees no value of a scalar which the event does not have',
      python('result = [source, duration, error, event_type, start_time, event_id] == [None] * 6', {
        return_type: 'boolean',
      }),
      { outputs: {} },
      { result: true, explanation: null },
    ],
    [
      'that sees the scalars which the event has',
      python('result = f"{source} {duration} {error} {event_type}"', { return_type: 'string' }),
      { source: 's', error: 'e', event_type: 'tool', start_time: 1_000, end_time: 1_500 },
      { result: 's 500 e tool', explanation: null },
    ],
  ])('runs a metric %s', async (_, metric, event, expected) => {
    for (const path of PATHS) {
      const response = await run(metric, event, path);
      expect([response.status, response.json()]).toEqual([
        200,
        { success: true, loading: false, ...expected },
      ]);
    }
  });

  it.each([
    ['a metric for people', { ...python('rate it'), type: 'HUMAN' }, {}, 'metric.type'],
    ['a metric without criteria', { name: 'm', type: 'PYTHON' }, {}, 'metric.criteria'],
    ['an event that is no object', python('result = 1'), 5, 'event'],
    ['an id that is no UUID', python('result = 1'), { event_id: 'x' }, 'event.event_id'],
    [
      'no ground truth',
      python('result = 1', { needs_ground_truth: true }),
      {},
      'event.feedback.ground_truth is required',
    ],
    ['no model', llm('Rate it', { model_name: null }), {}, 'metric.model_name is required'],
    [
      'a parameter out of its range',
      llm('Rate it', { model_parameters: { temperature: 3 } }),
      {},
      'metric.model_parameters.temperature must be at most 2',
    ],
    ['a composite without children', { ...composite(), child_metrics: null }, {}, 'metric.child_metrics'],
    ['a composite', composite('a', 'b'), { metrics: { a: 1 } }, 'try it with POST /v1/metrics/try'],
    ['code that defines nothing', python('x = 1'), {}, 'metric.criteria'],
    ['code of 64 KiB and a byte', python(`result = 1 #${' '.repeat(65_525)}`), {}, 'metric.criteria'],
  ])('responds 400 to %s', async (_, metric, event, message) => {
    const response = await run(metric, event as object);
    expect([response.status, response.json()]).toEqual([
      400,
      expect.objectContaining({ errorCode: 'VALIDATION_ERROR' }),
    ]);
    expect(response.json<{ message: string }>().message).toContain(message);
  });

  it.each([
    ['code that fails', python('x = 1\nresult = 1 / 0'), 'execution_error', 'line 2: '],
    ['code that does not end', python('while True: pass'), 'execution_error', ''],
    ['code that does not compile', python('def f(:'), 'compilation_error', 'line 1: '],
    ['a template that is wrong', llm('a\n{{ inputs.list.0 }}'), 'template_render_error', '(line 2)'],
    [
      'a reply without a score',
      llm('Rate', { return_type: 'boolean' }),
      'llm_response_parse_error',
      'boolean',
    ],
  ])('responds 422 to %s', async (_, metric, errorCode, message) => {
    const response = await run(metric);
    expect([response.status, response.json()]).toEqual([
      422,
      expect.objectContaining({ statusCode: 422, success: false, errorCode }),
    ]);
    expect(response.json<{ message: string }>().message).toContain(message);
  });

  it('sends the parameters of the metric to the model', async () => {
    const text = randomUUID();
    const model_parameters = { temperature: 0.5, max_tokens: 50 };
    const response = await run(llm('Rate {{ outputs.text }}', { model_parameters }), { outputs: { text } });
    expect([response.status, model.requestsWith(text)]).toMatchObject([200, [{ body: model_parameters }]]);
  });

  it('responds 422 after the retries when the model fails, and stores nothing', async () => {
    const text = `${REFUSED} ${randomUUID()}`;
    const response = await run(llm('{{ outputs.text }}'), { outputs: { text }, event_name: text });
    expect([response.status, response.json()]).toEqual([
      422,
      expect.objectContaining({
        errorCode: 'execution_error',
        message: 'the provider responded 500 (broken)',
      }),
    ]);
    expect(model.requestsWith(text)).toHaveLength(3);
    const filters = [{ field: 'event_name', operator: 'is', value: text, type: 'string' }];
    expect((await client.search({ filters })).count).toBe(0);
  });
}
