import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { flood } from '../overload/flood.js';
import { spansFrom, type Source } from '../overload/sources.js';
import { percentile, sendLoad } from './send-load.js';

export interface FreshnessFigures {
  readonly name: string;
  readonly canaries: number;
  /** Milliseconds from the answer that an event is accepted to the first search that finds it. */
  readonly p50: number;
  readonly p99: number;
}

const EVERY_MS = 100;
const CANARIES = 100;
const FOUND_WITHIN_MS = 30_000;

/** How soon an accepted event is found, without other load and with half of what the process can take. */
export async function measureFreshness(): Promise<FreshnessFigures[]> {
  const stack = await startStandalone({ LOG_LEVEL: 'warn' });
  try {
    const load = spansFrom(stack, stack.apiKey);
    const idle = await sendCanaries(stack, 'idle');
    const perSecond = (await capacityOf(load)) / 2;
    const durationMs = CANARIES * EVERY_MS;
    const [busy] = await Promise.all([
      sendCanaries(stack, 'half load'),
      flood({ ...load, perSecond, durationMs }),
    ]);
    return [idle, busy];
  } finally {
    await stack.stop();
  }
}

async function sendCanaries(stack: Stack, name: string): Promise<FreshnessFigures> {
  const under: Promise<number>[] = [];
  for (let sent = 0; sent < CANARIES; sent++) {
    under.push(oneCanary(new Client(stack)));
    await new Promise((resume) => setTimeout(resume, EVERY_MS));
  }
  const delays = (await Promise.all(under)).sort((a, b) => a - b);
  return { name, canaries: CANARIES, p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) };
}

/** Polls every 20 ms, as `until` does. */
async function oneCanary(client: Client): Promise<number> {
  const event_id = randomUUID();
  const { status } = await client.post('/v1/events', { event_id, event_type: 'tool', inputs: {} });
  if (status !== 200) throw new Error(`an event was answered with ${status}`);
  const acceptedAt = performance.now();
  const query = { filters: [{ field: 'event_id', operator: 'is', value: event_id }], limit: 1 };
  await waitFor(
    'the event is found',
    async () => {
      const response = await client.post('/v1/events/search', query);
      return response.json<{ events: unknown[] }>().events.length > 0;
    },
    { withinMs: FOUND_WITHIN_MS },
  );
  return performance.now() - acceptedAt;
}

/** Requests per second that a closed loop gets through. */
async function capacityOf(source: Source): Promise<number> {
  const load = { ...source, concurrency: 8 };
  await sendLoad(load);
  const startedAt = performance.now();
  const { accepted } = await sendLoad({ ...load, bodies: [...source.bodies, ...source.bodies] });
  return accepted / ((performance.now() - startedAt) / 1_000);
}
