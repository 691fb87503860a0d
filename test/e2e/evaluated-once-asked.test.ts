import type { listEventEvaluations, ResponseOf } from '@assay/contracts';
import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { EVALUATION_SETTINGS } from './evaluation-journey.js';
import { onFakeModel } from './judge-journey.js';

type Evaluations = ResponseOf<typeof listEventEvaluations>['evaluations'];

const WAIT = { prefer: 'wait=30' };
const PATIENT = { withinMs: 90_000, pollIntervalMs: 100 } as const;
const ALWAYS = { enabled_in_prod: true, sampling_percentage: 100 };
const MODEL = { type: 'LLM', scale: 5, model_provider: 'openai', model_name: 'gpt-4o' };

describe('a job that asks one metric to evaluate a stored event', () => {
  const model = onFakeModel();
  const { client } = onStack(() => startStandalone({ ...EVALUATION_SETTINGS, ...model.environment() }));
  const event_name = `stored ${randomUUID()}`;
  const ids: Record<string, string> = {};
  let event_id = '';

  const createMetric = async (name: string, fields: object, ...filters: object[]) => {
    const filterArray = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: 'event_type', operator: 'is', value: 'model', type: 'string' },
      ...filters,
    ];
    const response = await client.post('/v1/metrics', {
      name,
      ...ALWAYS,
      ...fields,
      filters: { filterArray },
    });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    ids[name] = response.json<{ metric_id: string }>().metric_id;
  };
  const judge = (name: string) => ({ ...MODEL, criteria: promptOf(name, '{{ outputs.text }}') });
  const promptOf = (name: string, text: string) => `By ${name}: rate ${event_name}, ${text}.`;
  /** How often the model was asked by each metric about an event with this text. */
  const callsAbout = (text: string) =>
    Object.fromEntries(
      Object.keys(ids).map((name) => [name, model.requestsWith(promptOf(name, text)).length] as const),
    );
  const decisions = async () => {
    const response = await client.call('GET', `/v1/events/${event_id}/evaluations`, { headers: WAIT });
    const { evaluations } = response.json<{ evaluations: Evaluations }>();
    return Object.fromEntries(evaluations.map((one) => [one.metric_name, one.decision]));
  };
  const become = (expected: Readonly<Record<string, string>>) =>
    waitFor(
      `decisions ${JSON.stringify(expected)}`,
      async () => {
        const found = await decisions();
        return Object.entries(expected).every(([name, decision]) => found[name] === decision) && found;
      },
      PATIENT,
    );
  const evaluate = async (name: string) => {
    const filters = [{ field: 'event_id', operator: 'is', value: event_id, type: 'string' }];
    const started = await client.post(`/v1/metrics/${ids[name]}/evaluate`, { filters });
    expect([started.status, started.text]).toEqual([200, expect.any(String)]);
    const { id } = started.json<{ job: { id: string } }>().job;
    const isEnded = async () => {
      const read = await client.call('GET', `/v1/jobs/${id}`);
      return read.json<{ job: { state: string } }>().job.state === 'completed';
    };
    await waitFor('the end of the job', isEnded, PATIENT);
  };

  beforeAll(async () => {
    const event = { event_type: 'model', event_name, inputs: {}, outputs: { text: 'first' } };
    event_id = (await client.post('/v1/events', event)).json<{ event_id: string }>().event_id;
    await client.call('GET', `/v1/events/${event_id}`, { headers: WAIT });
    await createMetric('asked', judge('asked'));
    await createMetric('other', judge('other'));
    await createMetric('code', { type: 'PYTHON', criteria: 'result = 1' });
    const after = (name: string) => ({ field: `metrics.${name}`, operator: 'exists', type: 'string' });
    await createMetric('after asked', judge('after asked'), after('asked'));
    await createMetric('after other', judge('after other'), after('other'));
    const child_metrics = [{ name: 'asked', weight: 2 }];
    await createMetric('combined', { type: 'COMPOSITE', criteria: 'weighted sum', child_metrics });
    await become({ asked: 'not_evaluated', 'after asked': 'not_matching', code: 'not_evaluated' });
  });

  it('calls no other metric, but those that its score concerns', async () => {
    await evaluate('asked');
    const found = await become({ asked: 'scored', 'after asked': 'scored', combined: 'scored' });
    expect(found).toMatchObject({
      ...{ other: 'not_evaluated', code: 'not_evaluated', 'after other': 'not_matching' },
    });
    expect(callsAbout('first')).toEqual({
      ...{ asked: 1, other: 0, code: 0, 'after asked': 1, 'after other': 0, combined: 0 },
    });
  });

  it('leaves to the others what they evaluate when the event changes, and their scores after that', async () => {
    await client.call('PUT', `/v1/events/${event_id}`, { body: { outputs: { text: 'second' } } });
    const judges = ['asked', 'other', 'after asked', 'after other'];
    const areAsked = () => judges.every((name) => (callsAbout('second')[name] ?? 0) > 0);
    await waitFor('a call of each judge', () => Promise.resolve(areAsked()), PATIENT);
    await become(Object.fromEntries([...judges, 'code', 'combined'].map((name) => [name, 'scored'])));
    const once = { asked: 1, other: 1, code: 0, 'after asked': 1, 'after other': 1, combined: 0 };
    expect(callsAbout('second')).toEqual(once);
    const body = { metric_id: ids['asked'], criteria: `${judge('asked').criteria} Strictly.` };
    expect((await client.call('PUT', `/v1/metrics/${ids['asked']}`, { body })).status).toBe(200);
    await evaluate('asked');
    expect(callsAbout('second')).toEqual({ ...once, asked: 2 });
  });
});
