import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { forwarded } from './forwarded.js';
import { jsonEvent } from './json-body.js';
import { Prose, seeded } from './prose.js';
import { percentile, sendLoad, type Load } from './send-load.js';
import { stored } from './stored.js';
import { perEventSince, threadSeconds, wholeOf, type ThreadTimes } from './thread-time.js';

export interface EventFigures {
  readonly name: string;
  readonly events: number;
  /** Microseconds of CPU of the whole product per event or update, with its merges. */
  readonly whole: number;
  /** The same by thread. */
  readonly threads: ThreadTimes;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface MeasuredEvents {
  /** Each event in a session of its own. */
  readonly alone: EventFigures;
  readonly grouped: EventFigures;
  readonly update: EventFigures;
}

export interface EventsOptions {
  /** Built repository of the product, this one by default. */
  readonly root?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

const NAMES = {
  alone: 'JSON, batches of 100 × 2 KB',
  update: 'JSON, updates of one event',
  grouped: 'JSON, sessions of ten',
} as const;
export const EVENT_CASES: readonly string[] = Object.values(NAMES);

const BATCHES = 200;
const EVENTS_PER_BATCH = 100;
const EVENT_BYTES = 2_000;
const EVENTS_PER_SESSION = 10;
const UPDATED_SHARE = 0.3;
const CONCURRENCY = 8;
const MERGE_TAIL_MS = 2_000;

/**
 * Batches of JSON events that name no session, so that each is in one of its own; an update of three in ten of these;
 * batches of events in sessions of ten. Warm-ups of the same requests come first.
 */
export async function measureEvents({ root, settings }: EventsOptions = {}): Promise<MeasuredEvents> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(EVENT_BYTES));
  const [warmUp, batches, inSessions] = [
    batchesOf(prose, 1),
    batchesOf(prose, 1),
    batchesOf(prose, EVENTS_PER_SESSION),
  ];
  const events = batches.flat();
  const updates = Math.floor(events.length * UPDATED_SHARE);
  const [updatedBefore, updated] = [events.slice(-2 * updates, -updates), events.slice(-updates)];
  const stack = await startStandalone({ LOG_LEVEL: 'warn', ...settings }, root);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${stack.apiKey}` };
  const measure = async (
    name: string,
    count: number,
    load: Omit<Load, 'headers' | 'concurrency'>,
  ): Promise<EventFigures> => {
    await done(stack, settings);
    const before = threadSeconds(stack.pid('standalone'));
    const { refused, latencies } = await sendLoad({ ...load, headers, concurrency: CONCURRENCY });
    if (refused > 0) throw new Error(`${refused} requests were refused`);
    await done(stack, settings);
    await new Promise((resume) => setTimeout(resume, MERGE_TAIL_MS));
    const threads = perEventSince(before, stack.pid('standalone'), count);
    return {
      name,
      events: count,
      whole: wholeOf(threads),
      threads,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
    };
  };
  const toBody = (value: object) => Buffer.from(JSON.stringify(value));
  try {
    const creates = (of: typeof batches) => ({
      url: `${stack.baseUrl}/v1/events/batch`,
      bodies: of.map((batch) => toBody({ events: batch })),
    });
    const changes = (of: typeof updated) => ({
      method: 'PUT',
      url: `${stack.baseUrl}/v1/events/`,
      paths: of.map(({ event_id }) => event_id),
      bodies: of.map((_, index) =>
        toBody({ feedback: { rating: index % 5 }, metrics: { score: index / of.length } }),
      ),
    });
    const run = { headers, concurrency: CONCURRENCY };
    await sendLoad({ ...run, ...creates(warmUp) });
    const alone = await measure(NAMES.alone, events.length, creates(batches));
    await sendLoad({ ...run, ...changes(updatedBefore) });
    const update = await measure(NAMES.update, updated.length, changes(updated));
    const grouped = await measure(NAMES.grouped, events.length, creates(inSessions));
    return { alone, grouped, update };
  } finally {
    await stack.stop();
  }
}

/** Resolves once everything accepted is stored and forwarded, so that no load is charged for the one before it. */
async function done(stack: Stack, settings: EventsOptions['settings']): Promise<void> {
  await stored(stack);
  if (settings?.FORWARD_EVENTS !== 'false') await forwarded(stack);
}

/** Returns batches of events; those of a session follow each other. */
function batchesOf(prose: Prose, eventsPerSession: number) {
  let session_id = randomUUID();
  return Array.from({ length: BATCHES }, () =>
    Array.from({ length: EVENTS_PER_BATCH }, (_, index) => {
      if (index % eventsPerSession === 0) session_id = randomUUID();
      return jsonEvent(prose, EVENT_BYTES, eventsPerSession > 1 ? { session_id } : {});
    }),
  );
}
