import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { own, waitFor } from '@assay/testing';
import { percentile } from '../bench/send-load.js';
import { testProgram } from '../harness/processes/test-program.js';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import type { QuietLoad, QuietRequest, QuietResult } from './quiet-load.js';
import { newProject } from './sources.js';
import { watchProcess } from './watch-process.js';

/** What a quiet project noticed during one measurement. */
interface QuietFigures extends Omit<QuietResult, 'latencies'> {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Resident megabytes of all processes of the stack; the sum of their maxima. */
  readonly megabytes: number;
  /** How many times longer the main threads took because others had the CPU; of the process that waited longest. */
  readonly slowdown: number;
}

/** Starts an attack. Resolves when it is under way, with what ends it. */
export type Attack = () => Promise<() => Promise<unknown>>;

export interface QuietOptions {
  /** Requests of the project, sent in rotation; absent: writes, look-ups, a search and a list. */
  readonly requests?: (client: Client) => Promise<readonly QuietRequest[]>;
  readonly perSecond?: number;
  /** Duration of each measurement, in milliseconds. */
  readonly durationMs?: number;
}

const PROGRAM = testProgram('overload/quiet-process.ts');
const PER_SECOND = 40;
const DURATION_MS = 6_000;
/** A busy machine makes some measurements worse; a stall of the product is in every one. */
const MAX_ROUNDS = 3;
const MAX_RATIO = 3;
/** Latencies below it are compared as if they were that long: of shorter ones the scheduler decides. */
const MIN_P99_MS = 10;
const MAX_HEALTHZ_MS = 250;
const MAX_MORE_MEGABYTES = 300;

/**
 * Measures a project with few requests alone and beside an attack, from a process of its own, and asserts that it gets every response, that
 * its 99th percentile is at most three times as long, that `/healthz` responds within 250 ms and that memory grows by at most 300 MB.
 * Times are divided by {@link QuietFigures.slowdown}, and count when they are within the limits in one of three rounds; responses and memory
 * count in every round. The figures of each round are printed.
 */
export async function expectUndisturbed(stack: Stack, attack: Attack, options: QuietOptions = {}) {
  const key = await newProject(stack, `quiet ${randomUUID()}`);
  const client = new Client(stack, key);
  const load: QuietLoad = {
    baseUrl: stack.baseUrl,
    key,
    requests: await (options.requests ?? usualRequests)(client),
    perSecond: options.perSecond ?? PER_SECOND,
    healthUrls: stack.services.map((service) => stack.urlOf(service)),
  };
  const durationMs = options.durationMs ?? DURATION_MS;
  // Compiles and opens what the first requests need.
  await measure(stack, load, durationMs / 3);
  let delayed: string[] = [];
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const alone = await measure(stack, load, durationMs);
    const end = await attack();
    const beside = await measure(stack, load, durationMs).finally(end);
    process.stdout.write(`quiet project, round ${round}: ${JSON.stringify({ alone, beside })}\n`);
    expect(failuresOf(beside)).toEqual([]);
    expect(beside.megabytes - alone.megabytes).toBeLessThanOrEqual(MAX_MORE_MEGABYTES);
    delayed = delaysOf(alone, beside);
    if (delayed.length === 0) return;
  }
  expect(delayed).toEqual([]);
}

/** Returns what was not answered as it should be. */
function failuresOf({ statuses, broken, unhealthy }: QuietFigures): string[] {
  const refused = Object.entries(statuses).filter(([status]) => status !== '200');
  return [
    ...refused.map(([status, count]) => `${count} × ${status}`),
    ...Object.entries(broken).map(([code, count]) => `${count} × ${code}`),
    ...(unhealthy === 0 ? [] : [`${unhealthy} × /healthz`]),
  ];
}

/** Returns the limits that were exceeded. */
function delaysOf(alone: QuietFigures, beside: QuietFigures): string[] {
  const ratio = beside.p99Ms / beside.slowdown / Math.max(alone.p99Ms / alone.slowdown, MIN_P99_MS);
  const healthzMs = beside.healthzMs / beside.slowdown;
  return [
    ...(ratio > MAX_RATIO ? [`p99 is ${ratio.toFixed(1)} times that of the project alone`] : []),
    ...(healthzMs > MAX_HEALTHZ_MS ? [`/healthz took ${healthzMs.toFixed()} ms`] : []),
  ];
}

async function measure(stack: Stack, load: QuietLoad, durationMs: number): Promise<QuietFigures> {
  const watches = stack.services.map((service) => watchProcess(stack.pid(service)));
  const { latencies, ...result } = await quietLoadFromProcess(load, durationMs);
  const uses = watches.map((watch) => watch.stop());
  return {
    ...result,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    megabytes: uses.reduce((sum, use) => sum + use.megabytes, 0),
    slowdown: Math.max(...uses.map((use) => use.slowdown)),
  };
}

async function quietLoadFromProcess(load: QuietLoad, durationMs: number): Promise<QuietResult> {
  const child = own(
    fork(PROGRAM.file, { execArgv: PROGRAM.execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
  await once(child, 'message');
  child.send(load);
  await new Promise((resume) => setTimeout(resume, durationMs));
  const ended = once(child, 'message');
  child.send('stop');
  const [result] = (await ended) as [QuietResult];
  return result;
}

/** Requests of a project that writes events and looks them up. */
export async function usualRequests(client: Client): Promise<QuietRequest[]> {
  const event = { event_type: 'tool', event_name: 'quiet', inputs: { question: 'x'.repeat(1_500) } };
  const stored = await client.post('/v1/events', event);
  const path = `/v1/events/${stored.json<{ event_id: string }>().event_id}`;
  await waitFor('the event is visible', async () => (await client.call('GET', path)).status === 200);
  const filters = [{ field: 'event_name', operator: 'is', value: 'nothing', type: 'string' }];
  return [
    { method: 'POST', path: '/v1/events', body: event },
    { method: 'GET', path },
    { method: 'POST', path: '/v1/events/search', body: { filters, limit: 1 } },
    { method: 'GET', path: '/v1/metrics' },
  ];
}
