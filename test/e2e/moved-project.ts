import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@assay/domain';
import type { ApiResponse, Client } from '../harness/stack/client.js';

const METRIC = {
  name: 'short answer',
  type: 'PYTHON',
  criteria: 'result = len(str(outputs)) < 60',
  return_type: 'boolean',
  enabled_in_prod: true,
  sampling_percentage: 50,
};
const TONE = { name: 'tone', type: 'HUMAN', scale: 5, criteria: 'Rate the tone.' };
/** Numbers, texts and names that a careless copy changes. */
const EDGE_CASES = {
  huge: 12345678901234567890n,
  tiny: 1.5e-300,
  negative: -0.1,
  text: 'é\u2028"\\\n😀\u{10ffff}',
  none: null,
  '': { '': [[], {}, null] },
  'a.b': { __proto__: null, constructor: 1 },
};

/** What a project holds that moves. */
export interface FilledProject {
  readonly name: string;
  readonly events: number;
}

/** Fills the project of a client with random events, scores and resources. Nothing waits to be evaluated when it resolves. */
export async function fillProject(
  client: Client,
  { seed, events }: { readonly seed: number; readonly events: number },
): Promise<FilledProject> {
  const { metric_id: metric } = done(await client.post('/v1/metrics', METRIC)).json<{ metric_id: string }>();
  done(await client.post('/v1/metrics', TONE));
  const ids = await sendEvents(client, seed, events);
  await addResources(client, ids);
  done(await client.call('PUT', `/v1/metrics/${metric}`, { body: { description: 'second version' } }));
  await untilEvaluated(client, metric);
  const [project] = (await client.call('GET', '/v1/projects')).json<{ name: string }[]>();
  return { name: project?.name ?? '', events: ids.length };
}

interface Status {
  readonly stages: readonly { readonly lag_records: number | null }[];
}
interface Decisions {
  readonly decisions: readonly { readonly decision: string }[];
  readonly total: number;
}

/** Waits until everything is stored and decided, and every evaluation by the metric has ended. */
async function untilEvaluated(client: Client, metricId: string): Promise<void> {
  for (;;) {
    const { stages } = (await client.call('GET', '/v1/status')).json<Status>();
    const path = `/v1/metrics/${metricId}/decisions`;
    const { decisions, total } = (await client.call('GET', path)).json<Decisions>();
    const isPassed = stages.every(({ lag_records }) => lag_records === null || lag_records === 0);
    if (isPassed && total > 0 && decisions.every(({ decision }) => decision !== 'pending')) return;
  }
}

function done(response: ApiResponse): ApiResponse {
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response;
}

/** Sends sessions of random events in batches, and scores some of them. */
export async function sendEvents(client: Client, seed: number, count: number): Promise<string[]> {
  const random = numbersFrom(seed);
  const values = Array.from({ length: 50 }, () => randomObject(random, 3));
  const ids: string[] = [];
  const started = Date.now() - 3_600_000;
  for (let sent = 0; sent < count; sent += 250) {
    const session = randomUUID();
    const batch = Array.from({ length: Math.min(250, count - sent) }, (_, index) => {
      const id = index === 0 ? session : randomUUID();
      ids.push(id);
      // Several events start at the same time.
      const start = started + Math.floor((sent + index) / 3) + ((sent + index) % 2) / 1_000;
      return {
        event_id: id,
        session_id: session,
        event_type: index === 0 ? 'session' : (['tool', 'model', 'chain'] as const)[index % 3],
        event_name: `step ${index % 7}`,
        ...(index % 4 !== 0 && { start_time: start, end_time: start + 12.5 }),
        ...(index % 4 === 0 && { start_time: start }),
        inputs: { ...values[index % values.length], ...(index % 10 === 0 && EDGE_CASES) },
        outputs: { content: 'x'.repeat(index % 90) },
        metadata: { cost: index / 7, index: sent + index },
        ...(index % 5 === 0 && { feedback: { rating: index % 6, ground_truth: null } }),
        ...(index % 8 === 0 && { error: 'Timeout\u0001' }),
      };
    });
    done(await client.post('/v1/events/batch', { events: batch }));
  }
  for (const id of ids.slice(0, 5))
    await client.call('PUT', `/v1/events/${id}`, {
      body: { metrics: { helpful: 0.25 }, feedback: { rating: 9 } },
    });
  return ids;
}

async function addResources(client: Client, ids: readonly string[]): Promise<void> {
  const post = async (path: string, body: object) => done(await client.post(path, body));
  const call = async (method: string, path: string, options: object = {}) =>
    done(await client.call(method, path, options));
  const datapoints = Array.from({ length: 30 }, (_, index) => ({
    id: index.toString(16).padStart(24, 'a'),
    inputs: { question: `é ${index}`, ...EDGE_CASES },
    ground_truth: { answer: index },
  }));
  const dataset = (await post('/v1/datasets', { name: 'golden questions', description: 'ü' })).json<{
    result: { insertedId: string };
  }>().result.insertedId;
  await call('PUT', `/v1/datasets/${dataset}/datapoints`, {
    body: { datapoints: datapoints.slice(0, 20) },
  });
  await call('PUT', `/v1/datasets/${dataset}/datapoints`, {
    body: { datapoints: datapoints.slice(20) },
  });
  await call('DELETE', `/v1/datasets/${dataset}/datapoints/${datapoints[3]?.id}`);
  await post('/v1/runs', {
    run_id: randomUUID(),
    name: 'Prompt v2',
    dataset_id: dataset,
    event_ids: ids.slice(0, 3),
    metadata: { huge: EDGE_CASES.huge },
    results: {},
    configuration: { model: 'gpt-4o' },
  });
  await post('/v1/configurations', {
    name: 'support prompt',
    provider: 'openai',
    parameters: { call_type: 'chat', model: 'gpt-4o' },
  });
  await post('/v1/charts', { name: 'latency', metric: 'duration', func: 'median' });
  const queue = (await post('/v1/queues', { name: 'tone of answers', event_ids: ids.slice(0, 4) })).json<{
    queue: { id: string };
  }>().queue.id;
  await client.search({ filters: [] });
  const [first = '', second = ''] = ids;
  await call('PUT', `/v1/queues/${queue}/events/${first}`, {
    body: { status: 'done', annotator: 'anna', version: 0, metrics: { tone: 4 }, comment: 'short' },
  });
  await call('PUT', `/v1/queues/${queue}`, { body: { remove_event_ids: [second] } });
}

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function randomObject(random: () => number, depth: number): JsonObject {
  const entries = Array.from({ length: Math.floor(random() * 4) }, () => [
    randomText(random),
    randomValue(random, depth - 1),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

function randomValue(random: () => number, depth: number): JsonValue {
  const choice = Math.floor(random() * (depth > 0 ? 7 : 5));
  if (choice === 0) return null;
  if (choice === 1) return random() < 0.5;
  if (choice === 2) return (random() - 0.5) * 10 ** Math.floor(random() * 40 - 20);
  if (choice === 3) return Math.floor(random() * 1e6);
  if (choice === 4) return randomText(random);
  if (choice === 5) return randomObject(random, depth);
  return Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth - 1));
}

/** Text of characters of any plane, without halves of pairs. */
function randomText(random: () => number): string {
  return Array.from({ length: Math.floor(random() * 8) }, () => {
    const code = 1 + Math.floor(random() * (random() < 0.7 ? 0x7e : 0x10fffe));
    return code >= 0xd800 && code <= 0xdfff ? '?' : String.fromCodePoint(code);
  }).join('');
}
