import { randomUUID } from 'node:crypto';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { newProject } from './sources.js';

/** How a project loads the product while others use it. */
export interface Noise {
  /** Ends the load. Resolves with the number of responses by status when all requests have ended. */
  stop(): Promise<NoiseResult>;
}

export interface NoiseResult {
  readonly statuses: Readonly<Record<number, number>>;
  /** Responses to large updates by status. */
  readonly updates: Readonly<Record<number, number>>;
  /** Responses with 503 and without `Retry-After`. */
  readonly withoutRetryAfter: number;
  /** Requests that ended without a response, by error. */
  readonly broken: readonly string[];
}

export interface NoisyProject {
  start(): Noise;
}

const EVENTS = 3_000;
const EVENTS_PER_BATCH = 100;
const TEXT_LENGTH = 10_000;
const CONFIGURATIONS = 20;
/** Below the maximum size of a configuration. */
const CONFIGURATION_LENGTH = 200_000;
/** Above the maximum size of a configuration, and below that of the body. */
const TOO_LONG = 300_000;
/** Two of them make an event larger than it may become. */
const LARGE_UPDATE_LENGTH = 9_000_000;
const WORKERS = { search: 12, list: 6, update: 2, oversized: 2 } as const;

/** Creates a project with much data, whose worst searches, lists and updates can be started. */
export async function prepareNoisyProject(stack: Stack): Promise<NoisyProject> {
  const key = await newProject(stack, `noisy ${randomUUID()}`);
  const client = new Client(stack, key);
  const text = 'a text without the words of the searches '.repeat(TEXT_LENGTH / 40);
  for (let stored = 0; stored < EVENTS; stored += EVENTS_PER_BATCH)
    await client.post('/v1/events/batch', {
      events: Array.from({ length: EVENTS_PER_BATCH }, () => ({
        event_type: 'tool',
        event_name: 'noisy',
        inputs: { text },
      })),
    });
  const configuration = { name: 'c', provider: 'p', parameters: { model: 'm' } };
  const long = (length: number) => ({ ...configuration, user_properties: { text: 'x'.repeat(length) } });
  for (let made = 0; made < CONFIGURATIONS; made++)
    await client.post('/v1/configurations', long(CONFIGURATION_LENGTH));
  const { event_id } = (await client.post('/v1/events', { event_type: 'tool', inputs: {} })).json<{
    event_id: string;
  }>();
  await client.search({ limit: 1 });

  const filters = Array.from({ length: 50 }, (_, n) => ({
    field: 'inputs.text',
    operator: 'not contains',
    value: `word ${n}`,
    type: 'string',
  }));
  let update = 0;
  const updates = ['f', 'g'].map((name) => ({ metadata: { [name]: 'x'.repeat(LARGE_UPDATE_LENGTH) } }));
  const bodies = {
    search: JSON.stringify({ filters, limit: 1000 }),
    updates: updates.map((one) => JSON.stringify(one)),
    oversized: JSON.stringify(long(TOO_LONG)),
  };
  const requests: Requests = {
    search: () => ({ method: 'POST', path: '/v1/events/search', body: bodies.search }),
    list: () => ({ method: 'GET', path: '/v1/configurations' }),
    update: () => ({ method: 'PUT', path: `/v1/events/${event_id}`, body: bodies.updates[update++ % 2] }),
    oversized: () => ({ method: 'POST', path: '/v1/configurations', body: bodies.oversized }),
  };
  return { start: () => makeNoise(stack, key, requests) };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

type Kind = keyof typeof WORKERS;
type Requests = Readonly<Record<Kind, () => Sent>>;

function makeNoise(stack: Stack, key: string, requests: Requests): Noise {
  const statuses: Record<number, number> = {};
  const updates: Record<number, number> = {};
  const broken: string[] = [];
  let [stopped, withoutRetryAfter] = [false, 0];
  const work = async (kind: Kind) => {
    while (!stopped) {
      try {
        const { status, retryAfter } = await send(stack, key, requests[kind]());
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (kind === 'update') updates[status] = (updates[status] ?? 0) + 1;
        if (status === 503 && retryAfter === null) withoutRetryAfter++;
      } catch (error) {
        broken.push(String(error));
      }
    }
  };
  const workers = Object.entries(WORKERS).flatMap(([name, count]) =>
    Array.from({ length: count }, () => work(name as Kind)),
  );
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(workers);
      return { statuses, updates, withoutRetryAfter, broken };
    },
  };
}

async function send(stack: Stack, key: string, { method, path, body }: Sent) {
  const response = await fetch(stack.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  for await (const _chunk of response.body ?? []) continue;
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}
