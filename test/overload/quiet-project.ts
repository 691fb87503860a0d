import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { own, waitFor } from '@assay/testing';
import { percentile } from '../bench/send-load.js';
import { testProgram } from '../harness/processes/test-program.js';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import type { QuietLoad, QuietRequest, QuietResult } from './quiet-load.js';
import { delaysOf, failuresOf, tellsTimes, type QuietFigures } from './quiet-verdict.js';
import { newProject } from './sources.js';
import { watchProcess } from './watch-process.js';

/** Starts an attack. Resolves when it is under way, with what ends it. */
export type Attack = () => Promise<() => Promise<unknown>>;

export interface QuietOptions {
  /** Requests of the project, sent in rotation; absent: writes, look-ups, a search and a list. */
  readonly requests?: (client: Client) => Promise<readonly QuietRequest[]>;
  readonly perSecond?: number;
  /** Duration of each measurement, in milliseconds. */
  readonly durationMs?: number;
  /** How many times as long the 99th percentile may be; 3 by default. */
  readonly maxRatio?: number;
}

const PROGRAM = testProgram('overload/quiet-process.ts');
const PER_SECOND = 40;
const DURATION_MS = 6_000;
/** A busy machine makes some measurements worse; a stall of the product is in every one. */
const MAX_ROUNDS = 3;
/** On a machine that leaves a round no time, further ones are not begun after this time. */
const MAX_MS = 100_000;
const MAX_MORE_MEGABYTES = 300;

/**
 * Measures a project with few requests alone and beside an attack, from a process of its own, and asserts that it gets every response, that
 * its 99th percentile is at most `maxRatio` times as long, that `/healthz` and each request on a new connection respond within 250 ms and that memory
 * grows by at most 300 MB.
 * Times are divided by {@link QuietFigures.slowdown}, and count when they exceed the limits in each of three rounds. In rounds in which the machine
 * does other things, only responses that no busy process gives count. The figures of each round are printed.
 */
export async function expectUndisturbed(stack: Stack, attack: Attack, options: QuietOptions = {}) {
  const delayed: string[][] = [];
  const startedAt = performance.now();
  const load = await loadOf(stack, options);
  while (delayed.length < MAX_ROUNDS && performance.now() - startedAt < MAX_MS) {
    const { alone, beside } = await measureBeside(stack, attack, options, load);
    const tells = tellsTimes(alone, beside);
    process.stdout.write(`quiet project: ${JSON.stringify({ tells, alone, beside })}\n`);
    expect(failuresOf(beside, !tells)).toEqual([]);
    // What waits in a process that gets too little of a busy machine is memory of that machine's load.
    if (tells) expect(beside.megabytes - alone.megabytes).toBeLessThanOrEqual(MAX_MORE_MEGABYTES);
    const delays = delaysOf(alone, beside, options.maxRatio);
    if (delays.length === 0) return;
    if (tells) delayed.push(delays);
  }
  expect(delayed.length < MAX_ROUNDS ? [] : delayed).toEqual([]);
}

/** Measures a project once alone and once beside an attack. */
export async function measureBeside(
  stack: Stack,
  attack: Attack,
  { durationMs = DURATION_MS, ...options }: QuietOptions,
  known?: QuietLoad,
) {
  const load = known ?? (await loadOf(stack, options));
  const alone = await measure(stack, load, durationMs);
  const end = await attack();
  return { alone, beside: await measure(stack, load, durationMs).finally(end) };
}

/** Creates a project and returns its load, which has been sent for a moment, so that what it needs is compiled and open. */
async function loadOf(stack: Stack, options: QuietOptions): Promise<QuietLoad> {
  const key = await newProject(stack, `quiet ${randomUUID()}`);
  const load: QuietLoad = {
    baseUrl: stack.baseUrl,
    key,
    requests: await (options.requests ?? usualRequests)(new Client(stack, key)),
    perSecond: options.perSecond ?? PER_SECOND,
    healthUrls: stack.services.map((service) => stack.urlOf(service)),
  };
  await measure(stack, load, (options.durationMs ?? DURATION_MS) / 3);
  return load;
}

async function measure(stack: Stack, load: QuietLoad, durationMs: number): Promise<QuietFigures> {
  const watches = stack.services.map((service) => watchProcess(stack.pid(service)));
  const { result, slowdown } = await quietLoadFromProcess(load, durationMs);
  const { latencies, ...counts } = result;
  const uses = watches.map((watch) => watch.stop());
  return {
    ...counts,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    megabytes: uses.reduce((sum, use) => sum + use.megabytes, 0),
    megabytesOf: Object.fromEntries(
      stack.services.map((service, index): [string, number] => [
        service,
        Math.round(uses[index]?.megabytes ?? 0),
      ]),
    ),
    slowdown: Math.max(slowdown, ...uses.map((use) => use.slowdown)),
  };
}

async function quietLoadFromProcess(load: QuietLoad, durationMs: number) {
  const child = own(
    fork(PROGRAM.file, { execArgv: PROGRAM.execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
  await once(child, 'message');
  const watch = watchProcess(child.pid ?? 0);
  child.send(load);
  await new Promise((resume) => setTimeout(resume, durationMs));
  const ended = once(child, 'message');
  child.send('stop');
  const [result] = (await ended) as [QuietResult];
  return { result, slowdown: watch.stop().slowdown };
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
