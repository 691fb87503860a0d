import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { cpuSeconds } from './cpu-time.js';
import { jsonEvent } from './json-body.js';
import { Prose, seeded } from './prose.js';
import { percentile, sendLoad, type Load } from './send-load.js';
import { stored } from './stored.js';

export interface EventFigures {
  readonly name: string;
  readonly events: number;
  /** Microseconds of CPU of the whole product per event or update, with its merges. */
  readonly whole: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const BATCHES = 200;
const EVENTS_PER_BATCH = 100;
const EVENT_BYTES = 2_000;
const UPDATED_SHARE = 0.3;
const CONCURRENCY = 8;
const MERGE_TAIL_MS = 2_000;

/** Batches of JSON events, then an update of three events in ten. */
export async function measureEvents(): Promise<EventFigures[]> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(EVENT_BYTES));
  const batches = Array.from({ length: BATCHES }, () =>
    Array.from({ length: EVENTS_PER_BATCH }, () => jsonEvent(prose, EVENT_BYTES)),
  );
  const events = batches.flat();
  const updated = events.slice(0, events.length * UPDATED_SHARE);
  const stack = await startStandalone({ LOG_LEVEL: 'warn' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${stack.apiKey}` };
  const measure = async (
    name: string,
    count: number,
    load: Omit<Load, 'headers' | 'concurrency'>,
  ): Promise<EventFigures> => {
    await stored(stack);
    const before = cpuSeconds(stack.pid('standalone'));
    const { refused, latencies } = await sendLoad({ ...load, headers, concurrency: CONCURRENCY });
    if (refused > 0) throw new Error(`${refused} requests were refused`);
    await stored(stack);
    await new Promise((resume) => setTimeout(resume, MERGE_TAIL_MS));
    const whole = ((cpuSeconds(stack.pid('standalone')) - before) * 1e6) / count;
    return { name, events: count, whole, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
  };
  const toBody = (value: object) => Buffer.from(JSON.stringify(value));
  try {
    await warmUp(prose, { url: `${stack.baseUrl}/v1/events/batch`, headers });
    return [
      await measure('JSON, batches of 100 × 2 KB', events.length, {
        url: `${stack.baseUrl}/v1/events/batch`,
        bodies: batches.map((batch) => toBody({ events: batch })),
      }),
      await measure('JSON, updates of one event', updated.length, {
        method: 'PUT',
        url: `${stack.baseUrl}/v1/events/`,
        paths: updated.map(({ event_id }) => event_id),
        bodies: updated.map((_, index) =>
          toBody({ feedback: { rating: index % 5 }, metrics: { score: index / updated.length } }),
        ),
      }),
    ];
  } finally {
    await stack.stop();
  }
}

async function warmUp(prose: Prose, to: Pick<Load, 'url' | 'headers'>): Promise<void> {
  const batch = () =>
    Buffer.from(JSON.stringify({ events: Array.from({ length: 100 }, () => jsonEvent(prose, EVENT_BYTES)) }));
  await sendLoad({ ...to, bodies: Array.from({ length: BATCHES / 4 }, batch), concurrency: CONCURRENCY });
}
