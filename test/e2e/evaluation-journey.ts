import { randomBytes, randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

type Scores = Record<string, unknown>;

interface Evaluation {
  readonly metric_name: string;
  readonly decision: string;
  readonly error_code: string | null;
  readonly reason: string;
  readonly value: unknown;
}

interface Job {
  readonly id: string;
  readonly state: string;
  readonly counts: { readonly events: number };
}

/** Events of the first attempt. Their metric sleeps, so that they are not scored when the first scores are visible. */
const KILLED_EVENTS = 200;
/** Events of the last attempt to kill the process in the middle of the work. */
const MAX_KILLED_EVENTS = 800;
/** More than a page of a job. */
const JOB_EVENTS = 240;
/** Generous: a consumer group keeps the partitions of a killed member for a while. */
const PATIENT = { withinMs: 90_000, pollIntervalMs: 250 } as const;
const KILL_TEST_WITHIN_MS = 300_000;

/** Settings of the process that evaluates: on a busy machine a process that does little can take long. */
export const EVALUATION_SETTINGS = {
  PYTHON_METRIC_TIMEOUT_MS: '5000',
  EVALUATION_SESSION_QUIET_SECONDS: '1',
} as const;

/**
 * The journey of a score: a metric is created, events arrive, and the scores are on the events.
 * @param evaluator name of the process that evaluates
 */
export function evaluationJourney(
  startStack: () => Promise<Stack>,
  evaluator: string,
): ReturnType<typeof onStack> {
  const { stack, client } = onStack(startStack);

  async function createMetric(fields: object): Promise<string> {
    const metric = { type: 'PYTHON', enabled_in_prod: true, sampling_percentage: 100, ...fields };
    const response = await client.post('/v1/metrics', metric);
    expect(response.status).toBe(200);
    return response.json<{ metric_id: string }>().metric_id;
  }

  /** Filters of the events of one test. A synthesised session may have the name of its event. */
  const onlyNamed = (event_name: string, isSession = false) => ({
    filters: {
      filterArray: [
        { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
        { field: 'event_type', operator: isSession ? 'is' : 'is not', value: 'session', type: 'string' },
      ],
    },
  });

  async function createEvent(event_name: string, fields: object = {}): Promise<string> {
    const event = { event_type: 'model', event_name, inputs: {}, outputs: { text: 'abc' }, ...fields };
    const response = await client.post('/v1/events', event);
    return response.json<{ event_id: string }>().event_id;
  }

  const update = (id: string, body: object) => client.call('PUT', `/v1/events/${id}`, { body });
  const read = async (id: string) =>
    (await client.call('GET', `/v1/events/${id}`, { headers: { prefer: 'wait=30' } })).json<{
      event: { metrics: Scores };
    }>().event;
  /** Decisions about an event by name of the metric. */
  const decisions = async (id: string) => {
    const { evaluations } = (
      await client.call('GET', `/v1/events/${id}/evaluations`, { headers: { prefer: 'wait=30' } })
    ).json<{ evaluations: Evaluation[] }>();
    return new Map(evaluations.map((one) => [one.metric_name, one]));
  };
  const scoresBecome = async (id: string, expected: Scores) => {
    const isScored = async () => {
      const { metrics } = await read(id);
      return Object.entries(expected).every(([name, value]) => metrics[name] === value);
    };
    await waitFor(`scores ${JSON.stringify(expected)}`, isScored, PATIENT);
  };

  it('scores an OTLP span by a metric in Python, for searches and results of runs', async () => {
    const [name, run_id] = [`span ${randomUUID()}`, randomUUID()];
    const criteria = 'def length(outputs):\n    return {"score": len(str(outputs)) > 0, "explanation": "ok"}';
    await createMetric({ name: 'has text', return_type: 'boolean', criteria, ...onlyNamed(name) });
    await client.post('/v1/runs', { run_id, name: 'r', status: 'running' });
    const span = {
      traceId: randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      name,
      startTimeUnixNano: '1790000000000000000',
      endTimeUnixNano: '1790000000100000000',
      attributes: [{ key: 'traceloop.association.properties.run_id', value: { stringValue: run_id } }],
    };
    const sent = await client.post('/opentelemetry/v1/traces', {
      resourceSpans: [{ scopeSpans: [{ spans: [span] }] }],
    });
    expect(sent.status).toBe(200);
    const filters = [{ field: 'metrics.has text', operator: 'is', value: true, type: 'boolean' }];
    await waitFor('a scored span', async () => (await client.search({ filters })).count === 1, PATIENT);
    const { events } = await client.search({ filters });
    expect(events[0]).toMatchObject({ metrics: { 'has text': true, 'has text_explanation': 'ok' } });
    const result = (await client.call('GET', `/v1/runs/${run_id}/result`)).json<{
      metrics: { details: { metric_name: string; values: number[] }[] };
    }>();
    expect(result.metrics.details).toMatchObject([{ metric_name: 'has text', values: [1] }]);
  });

  it('scores again when outputs or feedback change, and not when scores or metadata do', async () => {
    const name = `again ${randomUUID()}`;
    await createMetric({ name: 'text', criteria: 'result = len(outputs["text"])', ...onlyNamed(name) });
    const truth = { needs_ground_truth: true, return_type: 'boolean' };
    const criteria = 'result = outputs["text"] == feedback["ground_truth"]';
    await createMetric({ name: 'correct', criteria, ...truth, ...onlyNamed(name) });
    const id = await createEvent(name);
    await scoresBecome(id, { text: 3 });
    expect((await read(id)).metrics).toEqual({ text: 3 });
    expect((await decisions(id)).get('correct')).toMatchObject({ decision: 'no_ground_truth' });
    await update(id, { feedback: { ground_truth: 'abc' } });
    await scoresBecome(id, { correct: true });
    await update(id, { metrics: { text: 99 }, metadata: { seen: true } });
    await update(id, { outputs: { text: 'abcd' } });
    await scoresBecome(id, { text: 4, correct: false });
  });

  it('computes composites on events and sessions, and again when a child changes', async () => {
    const name = `composite ${randomUUID()}`;
    const child_metrics = [
      { name: 'length', weight: 2 },
      { name: 'rating', weight: 1 },
    ];
    await createMetric({ name: 'length', criteria: 'result = len(outputs["text"])', ...onlyNamed(name) });
    const composite = { type: 'COMPOSITE', criteria: 'weighted average', child_metrics };
    await createMetric({ name: 'both', ...composite, ...onlyNamed(name) });
    await createMetric({ name: 'whole', ...composite, ...onlyNamed(`session of ${name}`, true) });
    const session_id = randomUUID();
    await client.post('/v1/sessions', { session_id, session_name: `session of ${name}` });
    const id = await createEvent(name, { session_id });
    await scoresBecome(id, { length: 3, both: 3 });
    await scoresBecome(session_id, { whole: 3 });
    await update(id, { metrics: { rating: 6 } });
    await scoresBecome(id, { both: 4 });
    await scoresBecome(session_id, { whole: 4 });
    const other = await createEvent(name, { session_id, outputs: { text: 'x' }, metrics: { rating: 3 } });
    await scoresBecome(session_id, { whole: (2 * 2 + 4.5) / 3 });
    await client.call('DELETE', `/v1/events/${other}`);
    await scoresBecome(session_id, { whole: 4 });
    await client.call('DELETE', `/v1/events/${id}`);
    await scoresBecome(session_id, { whole: null });
  });

  it('leaves other events alone, and survives code that fails', async () => {
    const name = `failing ${randomUUID()}`;
    const broken = await createMetric({ name: 'broken', criteria: 'result = 1 / 0', ...onlyNamed(name) });
    await createMetric({ name: 'endless', criteria: 'while True: pass', ...onlyNamed(name) });
    await createMetric({ name: 'fine', criteria: 'result = 1', ...onlyNamed(name) });
    await createMetric({ name: 'off', criteria: 'result = 1', enabled_in_prod: false, ...onlyNamed(name) });
    await createMetric({
      name: 'unsampled',
      criteria: 'result = 1',
      sampling_percentage: 0,
      ...onlyNamed(name),
    });
    const [id, other] = [await createEvent(name), await createEvent(`${name} other`)];
    await scoresBecome(id, { fine: 1 });
    expect((await read(id)).metrics).toEqual({ fine: 1 });
    expect((await read(other)).metrics).toEqual({});
    const found = await decisions(id);
    expect(found.get('fine')).toMatchObject({ decision: 'scored', value: 1, error_code: null });
    expect(found.get('broken')).toMatchObject({
      decision: 'error',
      error_code: 'execution_error',
      value: null,
    });
    expect(found.get('broken')?.reason).toMatch(/^line 1: /);
    expect(found.get('endless')).toMatchObject({ decision: 'timeout', error_code: 'timeout' });
    expect(found.get('off')).toMatchObject({ decision: 'disabled' });
    expect(found.get('unsampled')).toMatchObject({ decision: 'sampled_out' });
    expect((await decisions(other)).get('fine')).toMatchObject({ decision: 'not_matching' });
    const counts = await client.call('GET', `/v1/metrics/${broken}/decisions?dateRange=1h`);
    expect(counts.json()).toEqual({
      decisions: [{ decision: 'error', events: 1, cost: 0, error_codes: { execution_error: 1 } }],
      total: 1,
    });
    expect((await client.call('GET', `/v1/events/${randomUUID()}/evaluations`)).status).toBe(404);
  });

  it(
    'scores every event once although the process is killed in the middle of the work',
    async () => {
      const name = `killed ${randomUUID()}`;
      // A second evaluation would have another value.
      const criteria = 'import time\ntime.sleep(0.02)\nresult = time.time()';
      const metric = await createMetric({ name: 'survives', criteria, ...onlyNamed(name) });
      const event = { event_type: 'model', event_name: name, inputs: {}, outputs: {} };
      const event_ids: string[] = [];
      const send = async (length: number) => {
        const sent = await client.post('/v1/events/batch', { events: Array.from({ length }, () => event) });
        event_ids.push(...sent.json<{ event_ids: string[] }>().event_ids);
      };
      const scores = async () => {
        const filters = [
          { field: 'event_name', operator: 'is', value: name, type: 'string' },
          { field: 'metrics.survives', operator: 'exists' },
        ];
        const { events } = await client.search({ filters, limit: event_ids.length });
        return new Map(events.map(({ event_id, metrics }) => [event_id, (metrics as Scores).survives]));
      };
      // A machine that delays this test may have scored all events before the kill: then it kills again, with more of them.
      for (let count = KILLED_EVENTS, isInTheMiddle = false; !isInTheMiddle; count *= 2) {
        expect(count).toBeLessThanOrEqual(MAX_KILLED_EVENTS);
        const { length: scored } = event_ids;
        await send(count);
        const first = await waitFor(
          'the first scores',
          async () => {
            const found = await scores();
            return found.size > scored && found;
          },
          PATIENT,
        );
        const killedAt = Date.now() / 1_000;
        await stack.kill(evaluator);
        await stack.start(evaluator);
        await waitFor('all scores', async () => (await scores()).size === event_ids.length, PATIENT);
        const all = await scores();
        expect(event_ids.filter((id) => !all.has(id))).toEqual([]);
        expect([...first].filter(([id, score]) => all.get(id) !== score)).toEqual([]);
        isInTheMiddle = [...all.values()].some((scoredAt) => Number(scoredAt) > killedAt);
      }
      const counts = await client.call('GET', `/v1/metrics/${metric}/decisions`, {
        headers: { prefer: 'wait=30' },
      });
      expect(counts.json()).toEqual({
        decisions: [{ decision: 'scored', events: event_ids.length, cost: 0, error_codes: {} }],
        total: event_ids.length,
      });
    },
    KILL_TEST_WITHIN_MS,
  );

  it(
    'evaluates stored events by a job, each once although the process is killed in the middle of it',
    async () => {
      const name = `stored ${randomUUID()}`;
      const start = Date.now() - 3_600_000;
      const events = Array.from({ length: JOB_EVENTS }, (_, index) => ({
        ...{ event_type: 'model', event_name: name, start_time: start + Math.floor(index / 2) },
        ...{ inputs: {}, outputs: { text: index === 0 ? 'bad' : 'good' } },
      }));
      const { event_ids } = (await client.post('/v1/events/batch', { events })).json<{
        event_ids: string[];
      }>();
      await client.search({ limit: 1 });
      // Neither enabled nor sampled: only the job asks for it. A second evaluation would have another value.
      const criteria = 'import time\nresult = 1 / 0 if outputs["text"] == "bad" else time.time()';
      const off = { enabled_in_prod: false, sampling_percentage: 0 };
      const metric = await createMetric({ name: 'afterwards', criteria, ...off, ...onlyNamed(name) });
      const filters = [{ field: 'event_name', operator: 'is', value: name, type: 'string' }];
      const evaluate = async () => {
        const response = await client.post(`/v1/metrics/${metric}/evaluate`, { filters, dateRange: '1d' });
        expect([response.status, response.text]).toEqual([200, expect.any(String)]);
        return response.json<{ job: Job }>().job;
      };
      const job = await evaluate();
      const read = async (id: string) =>
        (await client.call('GET', `/v1/jobs/${id}`)).json<{ job: Job }>().job;
      const scores = async () => {
        const scored = [...filters, { field: 'metrics.afterwards', operator: 'exists' }];
        const found = await client.search({ filters: scored, limit: JOB_EVENTS });
        return new Map(
          found.events.map(({ event_id, metrics }) => [event_id, (metrics as Scores).afterwards]),
        );
      };
      await waitFor('a page of the job', async () => (await read(job.id)).counts.events > 0, PATIENT);
      await stack.kill(evaluator);
      await stack.start(evaluator);
      const first = await scores();
      await waitFor('the end of the job', async () => (await read(job.id)).state === 'completed', PATIENT);
      const counts = { events: JOB_EVENTS, scored: JOB_EVENTS - 1, failed: 1, skipped: 0 };
      expect((await read(job.id)).counts).toEqual(counts);
      const all = await scores();
      expect(event_ids.filter((id) => !all.has(id))).toEqual([event_ids[0]]);
      expect([...first].filter(([id, score]) => all.get(id) !== score)).toEqual([]);
      const again = await evaluate();
      await waitFor('the end of the job', async () => (await read(again.id)).state === 'completed', PATIENT);
      expect((await read(again.id)).counts).toEqual({ ...counts, scored: 0, skipped: JOB_EVENTS - 1 });
      expect(await scores()).toEqual(all);
      const listed = (await client.call('GET', '/v1/jobs')).json<{ jobs: Job[] }>().jobs;
      expect(listed.map(({ id }) => id)).toEqual([again.id, job.id]);
    },
    KILL_TEST_WITHIN_MS,
  );
  return { stack, client };
}
