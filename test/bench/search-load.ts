import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { jsonEvent } from './json-body.js';
import { Prose, seeded } from './prose.js';
import { sendLoad } from './send-load.js';
import { stored } from './stored.js';

const EVENT_BYTES = 1_000;
const PER_BATCH = 500;
export const PER_SESSION = 10;
const CUSTOMERS = 1_000;
const SMALL_RUN = 100;
/** Of these, every tenth event is updated after it was sent. */
const UPDATE_EVERY = 10;
const WEEK_MS = 7 * 86_400_000;
/** A word that no prose contains, in one of these many events. */
const RARE_WORD = 'zebrafinch';
const RARE_EVERY = 5_000;

/** What was sent, for the queries to ask for. */
export interface SearchLoad {
  readonly eventId: string;
  readonly sessionId: string;
  readonly rareWord: string;
  readonly runs: { readonly large: readonly [string, string]; readonly small: readonly [string, string] };
  /** Bounds of the start times, Unix milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** Run of an event: two of a tenth of all events each, and two small ones. */
function runOf(index: number, events: number, runs: SearchLoad['runs']): string | undefined {
  const tenth = Math.floor((index * 10) / events);
  if (tenth === 3 || tenth === 4) return runs.large[tenth - 3];
  const small = Math.floor((index - events / 2) / SMALL_RUN);
  return index >= events / 2 ? runs.small[small] : undefined;
}

/**
 * Sends events over a week in the order of their start, batch by batch; then updates a tenth of them, one by one. Resolves once everything
 * is stored.
 * @param perDatapoint events in a row that belong to one datapoint
 */
export async function fillSearch(stack: Stack, events: number, perDatapoint = 1): Promise<SearchLoad> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(events));
  const client = new Client(stack);
  const runs = { large: [randomUUID(), randomUUID()], small: [randomUUID(), randomUUID()] } as const;
  for (const run_id of Object.values(runs).flat())
    await client.post('/v1/runs', { run_id, name: run_id, status: 'completed' });
  const to = Date.now();
  const from = to - WEEK_MS;
  const sessionIds = Array.from({ length: events / PER_SESSION }, () => randomUUID());
  const updated: string[] = [];
  const eventAt = (index: number) => {
    const session = Math.floor(index / PER_SESSION);
    const runId = runOf(index, events, runs);
    const event = jsonEvent(prose, EVENT_BYTES, {
      session_id: sessionIds[session],
      start_time: from + Math.floor((WEEK_MS * index) / events),
      metadata: {
        customer: `customer-${index % CUSTOMERS}`,
        tier: `tier-${index % 4}`,
        prompt_tokens: 412,
        completion_tokens: 96,
        ...(runId && {
          run_id: runId,
          datapoint_id: `d${Math.floor(index / perDatapoint) % (events / 100)}`,
        }),
      },
      metrics: { score: (index % 997) / 997 },
    });
    if (index % UPDATE_EVERY === 0) updated.push(event.event_id);
    if (index % RARE_EVERY === 7) event.outputs.content += ` ${RARE_WORD}`;
    return event;
  };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${stack.apiKey}` };
  const send = async (load: Omit<Parameters<typeof sendLoad>[0], 'headers' | 'concurrency'>) => {
    const { refused } = await sendLoad({ ...load, headers, concurrency: 4 });
    if (refused > 0) throw new Error(`${refused} requests were refused`);
  };
  let eventId = '';
  for (let first = 0; first < events; first += PER_BATCH * 20) {
    const bodies: Buffer[] = [];
    for (let start = first; start < Math.min(first + PER_BATCH * 20, events); start += PER_BATCH) {
      const batch = Array.from({ length: PER_BATCH }, (_, index) => eventAt(start + index));
      if (start <= events / 2) eventId = batch[3]!.event_id;
      bodies.push(Buffer.from(JSON.stringify({ events: batch })));
    }
    await send({ url: `${stack.baseUrl}/v1/events/batch`, bodies });
  }
  await send({
    method: 'PUT',
    url: `${stack.baseUrl}/v1/events/`,
    paths: updated,
    bodies: updated.map(() => Buffer.from('{"feedback":{"rating":4}}')),
  });
  await stored(stack);
  const found = await client.call('GET', `/v1/events/${eventId}`);
  const { event } = found.json<{ event: { session_id: string } }>();
  return { eventId, sessionId: event.session_id, rareWord: RARE_WORD, runs, from, to };
}
