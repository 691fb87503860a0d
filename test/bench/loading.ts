import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../harness/stack/client.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { cpuSeconds, residentMegabytes } from './cpu-time.js';
import { Prose, seeded } from './prose.js';

export interface LoadingFigures {
  readonly events: number;
  /** Seconds from the first request to the last response. */
  readonly sentAfter: number;
  /** Requests that got 503 and were sent again. */
  readonly repeated: number;
  /** Seconds from the last response until a search counts every event. */
  readonly foundAfter: number;
  /** Microseconds of CPU per event. */
  readonly whole: number;
  readonly residentMegabytes: number;
}

const EVENTS = Number(process.env.ASSAY_BENCH_LOADED ?? 1_000_000);
const PER_BATCH = 500;
const EVENT_BYTES = 700;
const TEXTS = 5_000;
/** Events start one after the other: a million within three hours. */
const APART_MS = 10;
const CONCURRENCY = 8;
const POLL_MS = 100;
const FOUND_WITHIN_MS = 600_000;

/** Loads a million small JSON events as fast as they are taken, and waits until all of them are found. */
export async function measureLoading(root?: string): Promise<LoadingFigures> {
  const stack = await startStandalone({ LOG_LEVEL: 'warn' }, root);
  try {
    const pid = stack.pid('standalone');
    const before = cpuSeconds(pid);
    const startedAt = performance.now();
    const repeated = await loadEvents(stack, EVENTS);
    const sentAt = performance.now();
    const resident = residentMegabytes(pid);
    await found(stack);
    const foundAfter = (performance.now() - sentAt) / 1e3;
    const whole = ((cpuSeconds(pid) - before) * 1e6) / EVENTS;
    const sentAfter = (sentAt - startedAt) / 1e3;
    return { events: EVENTS, sentAfter, repeated, foundAfter, whole, residentMegabytes: resident };
  } finally {
    await stack.stop();
  }
}

function makeBodies(events: number): () => string {
  const prose = new Prose(join(repository, 'node_modules'), seeded(events));
  const texts = Array.from({ length: TEXTS }, () => prose.text(EVENT_BYTES));
  const startedAt = Date.now() - events * APART_MS;
  let next = 0;
  return () => {
    const session_id = randomUUID();
    const event = () => ({
      event_id: randomUUID(),
      session_id,
      start_time: startedAt + next * APART_MS,
      event_type: 'tool',
      event_name: 'load',
      inputs: { question: texts[next++ % TEXTS] },
      metadata: { batch: next % 97 },
    });
    return JSON.stringify({ events: Array.from({ length: PER_BATCH }, event) });
  };
}

/** Sends small JSON events as fast as they are taken. Returns how many requests were sent again after a 503. */
export async function loadEvents({ baseUrl, apiKey }: Stack, events: number): Promise<number> {
  const newBody = makeBodies(events);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  let [left, repeated] = [events / PER_BATCH, 0];
  const worker = async () => {
    while (left-- > 0) {
      const body = newBody();
      for (;;) {
        const response = await fetch(`${baseUrl}/v1/events/batch`, { method: 'POST', headers, body });
        await response.arrayBuffer();
        if (response.status === 200) break;
        if (response.status !== 503) throw new Error(`a batch returned ${response.status}`);
        repeated++;
        await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return repeated;
}

async function found(stack: Stack): Promise<void> {
  const client = new Client(stack);
  const query = {
    limit: 1,
    filters: [{ field: 'event_name', operator: 'is', value: 'load', type: 'string' }],
  };
  const deadline = performance.now() + FOUND_WITHIN_MS;
  while (performance.now() < deadline) {
    const response = await client.post('/v1/events/search', query);
    if (response.status === 200 && response.json<{ count: number }>().count >= EVENTS) return;
    await sleep(POLL_MS);
  }
  throw new Error('not all events are found');
}
