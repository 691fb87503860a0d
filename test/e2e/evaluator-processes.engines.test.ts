import { randomUUID } from 'node:crypto';
import { decodeRecord } from '@assay/contracts';
import { openKafkaEventLog } from '@assay/event-log/kafka';
import { createLogger } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, randomName, startSplit } from '../harness/stack/start-split.js';
import { EVALUATION_SETTINGS } from './evaluation-journey.js';
import { HELD, onFakeModel } from './judge-journey.js';

/** Generous: a consumer group keeps the partitions of a killed member for a while. */
const PATIENT = { withinMs: 240_000, pollIntervalMs: 200 } as const;
const TEST_WITHIN_MS = 900_000;
const BATCH = 60;
/** Calls of one provider that a process sends for a project at a time. */
const CALLS_AT_A_TIME = 16;
/** The first request and two retries. */
const MAX_REQUESTS = 3;

interface Decisions {
  readonly decisions: readonly { readonly decision: string; readonly events: number }[];
  readonly total: number;
}

describe('processes that evaluate in one consumer group', () => {
  const model = onFakeModel();
  const name = randomName();
  const { stack, client } = onStack(() =>
    startSplit(enginesFromEnvironment(), {
      name,
      evaluators: 2,
      evaluator: { ...EVALUATION_SETTINGS, ...model.environment() },
    }),
  );
  const { held } = model;

  async function createMetric(event_name: string, fields: object): Promise<string> {
    const filterArray = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: 'event_type', operator: 'is not', value: 'session', type: 'string' },
    ];
    const enabled = { enabled_in_prod: true, sampling_percentage: 100, filters: { filterArray } };
    const response = await client.post('/v1/metrics', { ...enabled, ...fields });
    expect(response.status).toBe(200);
    return response.json<{ metric_id: string }>().metric_id;
  }
  const decisionsOf = async (metric: string) =>
    (
      await client.call('GET', `/v1/metrics/${metric}/decisions`, { headers: { prefer: 'wait=30' } })
    ).json<Decisions>();
  const scored = async (event_name: string, metric: string) => {
    const filters = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: `metrics.${metric}`, operator: 'exists' },
    ];
    return (await client.search({ filters, limit: 1 })).count;
  };

  it(
    'score each event once while a process joins, and another is killed',
    async () => {
      const event_name = `shared ${randomUUID()}`;
      await stack.terminate('evaluator-2');
      held.hold();
      const llm = { type: 'LLM', model_provider: 'openai', model_name: 'gpt-4o' };
      const metrics = [
        await createMetric(event_name, { name: 'judged', ...llm, criteria: `${HELD} {{ event_id }}` }),
        // A second evaluation would have another value.
        await createMetric(event_name, {
          ...{ name: 'run', type: 'PYTHON' },
          criteria: 'import time\ntime.sleep(0.02)\nresult = time.time()',
        }),
      ];
      const ids: string[] = [];
      const send = async () => {
        const event = { event_type: 'model', event_name, inputs: {}, outputs: {} };
        const body = { events: Array.from({ length: BATCH }, () => event) };
        const sent = await client.post('/v1/events/batch', body);
        ids.push(...sent.json<{ event_ids: string[] }>().event_ids);
      };
      await send();
      await waitFor('calls', () => Promise.resolve(held.open === CALLS_AT_A_TIME), PATIENT);
      await stack.start('evaluator-2');
      await send();
      // The calls of partitions that the first process has lost have ended.
      await waitFor('calls of both', () => Promise.resolve(held.open > CALLS_AT_A_TIME), PATIENT);
      held.release();
      await send();
      await waitFor('some scores', async () => (await scored(event_name, 'judged')) > 0, PATIENT);
      await stack.kill('evaluator');
      for (const metric of metrics) {
        const isComplete = async () => {
          const { decisions, total } = await decisionsOf(metric);
          return total === ids.length && decisions.every(({ decision }) => decision !== 'pending');
        };
        await waitFor('no evaluation waits', isComplete, PATIENT);
      }
      for (const metric of metrics)
        expect(await decisionsOf(metric)).toMatchObject({
          decisions: [{ decision: 'scored', events: ids.length }],
          total: ids.length,
        });
      const written = await scoresOnTheLog(name);
      for (const id of ids) {
        expect([id, written.get(`${id}/judged`)]).toEqual([id, 1]);
        expect([id, written.get(`${id}/run`)]).toEqual([id, 1]);
        expect(model.requestsWith(id).length).toBeLessThanOrEqual(MAX_REQUESTS);
      }
      await stack.start('evaluator');
    },
    TEST_WITHIN_MS,
  );

  it(
    'decide about each session once by events that both have read, although one of them is killed',
    async () => {
      const tag = randomUUID();
      const filterArray = [
        { field: 'event_type', operator: 'is', value: 'session', type: 'string' },
        { field: 'metadata.tag', operator: 'is', value: tag, type: 'string' },
        { field: 'metadata.num_events', operator: '$gte', value: 3, type: 'number' },
      ];
      const metric = await client.post('/v1/metrics', {
        // A second evaluation would have another value.
        ...{ name: 'quiet', type: 'PYTHON', criteria: 'import time\nresult = time.time()' },
        ...{ enabled_in_prod: true, sampling_percentage: 100, filters: { filterArray } },
      });
      const { metric_id } = metric.json<{ metric_id: string }>();
      const ids = Array.from({ length: BATCH }, () => randomUUID());
      for (const session_id of ids) {
        const session = { session_id, session_name: 'chat', metadata: { tag } };
        expect((await client.post('/v1/sessions', session)).status).toBe(200);
      }
      const addEvents = async () => {
        const event = { event_type: 'model', event_name: 'step', inputs: {}, outputs: {} };
        const events = ids.map((session_id) => ({ ...event, session_id }));
        const sent = await client.post('/v1/events/batch', { events, single_session: false });
        expect(sent.status).toBe(200);
      };
      await addEvents();
      const decided = async () => (await decisionsOf(metric_id)).total === ids.length;
      await waitFor('all sessions are decided about', decided, PATIENT);
      await addEvents();
      await stack.kill('evaluator');
      await addEvents();
      const scoredSessions = async () =>
        (
          await client.search({
            filters: [...filterArray, { field: 'metrics.quiet', operator: 'exists' }],
            limit: 1,
          })
        ).count;
      await waitFor('all scores', async () => (await scoredSessions()) === ids.length, PATIENT);
      const isComplete = async () => (await decisionsOf(metric_id)).decisions.length === 1;
      await waitFor('no evaluation waits', isComplete, PATIENT);
      expect((await decisionsOf(metric_id)).decisions).toMatchObject([
        { decision: 'scored', events: ids.length },
      ]);
      const written = await scoresOnTheLog(name);
      for (const id of ids) expect([id, written.get(`${id}/quiet`)]).toEqual([id, 1]);
      await stack.start('evaluator');
    },
    TEST_WITHIN_MS,
  );

  it(
    'evaluate by their snapshots while the control plane is unavailable, also after a restart',
    async () => {
      const event_name = `outage ${randomUUID()}`;
      await createMetric(event_name, {
        name: 'length',
        type: 'PYTHON',
        criteria: 'result = len(outputs["text"])',
      });
      const ingestion = new Client({ baseUrl: stack.urlOf('ingestion'), apiKey: stack.apiKey });
      const send = async () => {
        const event = { event_type: 'model', event_name, inputs: {}, outputs: { text: 'abc' } };
        const events = Array.from({ length: BATCH }, () => event);
        expect((await ingestion.post('/v1/events/batch', { events })).status).toBe(200);
      };
      // Of every partition, so that both processes have a snapshot.
      await send();
      await waitFor('scores', async () => (await scored(event_name, 'length')) === BATCH, PATIENT);
      await stack.kill('control-plane');
      await send();
      await waitFor(
        'scores in the outage',
        async () => (await scored(event_name, 'length')) === 2 * BATCH,
        PATIENT,
      );
      for (const evaluator of ['evaluator', 'evaluator-2']) {
        expect(await stack.terminate(evaluator)).toBe(0);
        await stack.start(evaluator);
      }
      await send();
      await waitFor(
        'scores after restarts',
        async () => (await scored(event_name, 'length')) === 3 * BATCH,
        PATIENT,
      );
      await stack.start('control-plane');
    },
    TEST_WITHIN_MS,
  );
});

/** Reads the log of a stack from its beginning to its end, and counts the scores that were written by `eventId/metric`. */
async function scoresOnTheLog(stackName: string): Promise<ReadonlyMap<string, number>> {
  const log = await openKafkaEventLog({
    brokers: enginesFromEnvironment().kafkaBrokers.split(','),
    ...{ topicPrefix: `test-${stackName}-`, partitions: 3, replicationFactor: 1 },
    logger: createLogger({ level: 'error', service: 'test' }),
    onCrash: () => undefined,
  });
  try {
    const end = await log.end();
    const read = new Map<number, number>();
    const counts = new Map<string, number>();
    const reader = await log.read({
      ...{ group: `test-${randomUUID()}`, maxRecords: 5_000, maxBytes: 64 * 1024 * 1024, lingerMs: 0 },
      onBatch: (batch) => {
        for (const record of batch) {
          read.set(record.partition, Number(record.offset) + 1);
          const { kind, eventId, value } = decodeRecord(record);
          if (kind !== 'patch') continue;
          const { metrics = {} } = JSON.parse(value.toString()) as { metrics?: object };
          for (const name of Object.keys(metrics))
            counts.set(`${eventId}/${name}`, (counts.get(`${eventId}/${name}`) ?? 0) + 1);
        }
        return Promise.resolve();
      },
    });
    const isRead = () =>
      [...end].every(([partition, offset]) => offset === 0 || (read.get(partition) ?? 0) >= offset);
    await waitFor('the end of the log', () => Promise.resolve(isRead()), PATIENT);
    await reader.stop();
    return counts;
  } finally {
    await log.close();
  }
}
