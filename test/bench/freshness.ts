import { randomUUID } from 'node:crypto';
import { Client } from '../harness/stack/client.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { flood } from '../overload/flood.js';
import { spansFrom } from '../overload/sources.js';
import { percentile, sendLoad } from './send-load.js';

export interface FreshnessFigures {
  readonly name: string;
  readonly canaries: number;
  /** Milliseconds from the answer that an event is accepted to the first search that finds it. */
  readonly p50: number;
  readonly p99: number;
}

const EVERY_MS = 100;
const ASKED_EVERY_MS = 20;
const CANARIES = 100;
const FOUND_WITHIN_MS = 30_000;
/** The session record, which the first event creates. */
const SESSION_RECORD = 1;
/** Requests that find out what the process can take, half of them to warm it up. */
const CAPACITY_REQUESTS = 240;
/** Time for merges after a load. */
const SETTLE_MS = 3_000;

/** How soon an accepted event is found, without other load and with half of what the process can take. */
export async function measureFreshness(): Promise<FreshnessFigures[]> {
  const stack = await startStandalone({ LOG_LEVEL: 'warn' });
  try {
    const idle = await sendCanaries(stack, 'idle');
    const perSecond = (await capacityOf(stack)) / 2;
    const durationMs = CANARIES * EVERY_MS;
    // Spans that were sent before would be merged with the stored ones.
    const load = spansFrom(stack, stack.apiKey, Math.ceil((perSecond * durationMs) / 1_000));
    await settle(stack);
    const [busy] = await Promise.all([
      sendCanaries(stack, 'half load'),
      flood({ ...load, perSecond, durationMs }),
    ]);
    return [idle, busy];
  } finally {
    await stack.stop();
  }
}

/**
 * Sends one event every 100 ms, and asks for the newest ones until all are found, 20 ms after each response: a longer rest would count as
 * the delay of an event.
 */
async function sendCanaries(stack: Stack, name: string, canaries = CANARIES): Promise<FreshnessFigures> {
  const client = new Client(stack);
  const session_id = randomUUID();
  const acceptedAt = new Map<string, number>();
  const delays: number[] = [];
  const sent = (async () => {
    for (let count = 0; count < canaries; count++) {
      const event_id = randomUUID();
      const event = { event_id, session_id, event_type: 'tool', inputs: {} };
      const { status } = await client.post('/v1/events', event);
      if (status !== 200) throw new Error(`an event was answered with ${status}`);
      acceptedAt.set(event_id, performance.now());
      await new Promise((resume) => setTimeout(resume, EVERY_MS));
    }
  })();
  const query = {
    filters: [{ field: 'session_id', operator: 'is', value: session_id }],
    limit: canaries + SESSION_RECORD,
  };
  const deadline = performance.now() + canaries * EVERY_MS + FOUND_WITHIN_MS;
  const found = (async () => {
    while (delays.length < canaries) {
      if (performance.now() > deadline) throw new Error(`${canaries - delays.length} events are not found`);
      const response = await client.post('/v1/events/search', query);
      for (const { event_id } of response.json<{ events: { event_id: string }[] }>().events) {
        const at = acceptedAt.get(event_id);
        if (at !== undefined && acceptedAt.delete(event_id)) delays.push(performance.now() - at);
      }
      await new Promise((resume) => setTimeout(resume, ASKED_EVERY_MS));
    }
  })();
  await Promise.all([sent, found]);
  delays.sort((a, b) => a - b);
  return { name, canaries, p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) };
}

/** Waits until what was sent before is stored and merged, so that the next load does not begin with the rest of the last one. */
async function settle(stack: Stack): Promise<void> {
  await sendCanaries(stack, 'settle', 1);
  await new Promise((resume) => setTimeout(resume, SETTLE_MS));
}

/** Requests per second that a closed loop gets through, with new spans in each of them. */
async function capacityOf(stack: Stack): Promise<number> {
  const load = { ...spansFrom(stack, stack.apiKey, CAPACITY_REQUESTS), concurrency: 8 };
  const half = CAPACITY_REQUESTS / 2;
  await sendLoad({ ...load, bodies: load.bodies.slice(0, half) });
  const startedAt = performance.now();
  const { accepted } = await sendLoad({ ...load, bodies: load.bodies.slice(half) });
  return accepted / ((performance.now() - startedAt) / 1_000);
}
