import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '../harness/stack/client.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { jsonEvent } from './json-body.js';
import { Prose, seeded } from './prose.js';
import { percentile, sendLoad } from './send-load.js';
import { stored } from './stored.js';

export interface SearchFigures {
  readonly name: string;
  /** Events that match. */
  readonly matching: number;
  /** Milliseconds from sending to the whole answer. */
  readonly p50: number;
  readonly p99: number;
}

const EVENTS = 100_000;
const EVENT_BYTES = 700;
const PER_BATCH = 500;
const PER_SESSION = 50;
const CUSTOMERS = 1_000;
const RUNS = 100;
const LIMIT = 100;

/** Searches among 100,000 events, one after the other. */
export async function measureSearch(): Promise<SearchFigures[]> {
  const stack = await startStandalone({ LOG_LEVEL: 'warn' });
  try {
    const { sessionId, eventId } = await fill(stack);
    const is = (field: string, value: string) => ({
      filters: [{ field, operator: 'is', value, type: 'string' }],
    });
    const queries: [string, object][] = [
      ['the newest 100', {}],
      ['metadata key is', is('metadata.customer', 'customer-7')],
      ['of one session', is('session_id', sessionId)],
      ['by id', is('event_id', eventId)],
      ['100 sessions of 50 events, with roll-ups', is('event_type', 'session')],
      [
        'numeric range (1 %)',
        { filters: [{ field: 'metadata.score', operator: 'greater than', value: 0.99, type: 'number' }] },
      ],
    ];
    const figures: SearchFigures[] = [];
    for (const [name, query] of queries)
      figures.push(await measureOne(stack, name, { ...query, limit: LIMIT }));
    return figures;
  } finally {
    await stack.stop();
  }
}

async function fill(stack: Stack): Promise<{ sessionId: string; eventId: string }> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(EVENTS));
  const sessions = Array.from({ length: EVENTS / PER_SESSION }, () => randomUUID());
  const now = Date.now();
  const eventAt = (index: number) =>
    jsonEvent(prose, EVENT_BYTES, {
      session_id: sessions[index % sessions.length],
      start_time: now - (EVENTS - index) * 100,
      metadata: { customer: `customer-${index % CUSTOMERS}`, score: (index % 997) / 997, prompt_tokens: 412 },
    });
  const batches = Array.from({ length: EVENTS / PER_BATCH }, (_, batch) =>
    Array.from({ length: PER_BATCH }, (_, index) => eventAt(batch * PER_BATCH + index)),
  );
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${stack.apiKey}` };
  const bodies = batches.map((events) => Buffer.from(JSON.stringify({ events })));
  const { refused } = await sendLoad({
    url: `${stack.baseUrl}/v1/events/batch`,
    headers,
    bodies,
    concurrency: 4,
  });
  if (refused > 0) throw new Error(`${refused} requests were refused`);
  await stored(stack);
  return { sessionId: sessions[7]!, eventId: batches[100]![3]!.event_id };
}

async function measureOne(stack: Stack, name: string, query: object): Promise<SearchFigures> {
  const client = new Client(stack);
  const latencies: number[] = [];
  let matching = 0;
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    const response = await client.post('/v1/events/search', query);
    latencies.push(performance.now() - startedAt);
    if (response.status !== 200) throw new Error(`search answered ${response.status}: ${response.text}`);
    matching = response.json<{ count: number }>().count;
  }
  latencies.sort((a, b) => a - b);
  return { name, matching, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}
