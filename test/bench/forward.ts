import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startEngines } from '../harness/engines/start-engines.js';
import { Client } from '../harness/stack/client.js';
import { repository } from '../harness/stack/repository.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { cpuSeconds } from './cpu-time.js';
import { forwarded } from './forwarded.js';
import { jsonEvent } from './json-body.js';
import { Prose, seeded } from './prose.js';
import { sendLoad } from './send-load.js';
import { stored } from './stored.js';

export interface ForwardFigures {
  readonly name: string;
  readonly events: number;
  /** Microseconds of CPU of the whole product per event, from the socket to the control plane's index. */
  readonly whole: number;
  /** What of it forwarding costs: the difference to the same load without it. */
  readonly forwarding: number;
}

/** So many that neither compiling JavaScript nor one merge of the engine decides. */
const BATCHES = 1_000;
const EVENTS_PER_BATCH = 100;
const EVENTS = BATCHES * EVENTS_PER_BATCH;
const EVENT_BYTES = 2_000;
const CONCURRENCY = 4;
/** Rounds of all cases in turns. */
const ROUNDS = 5;
const MERGE_TAIL_MS = 2_000;

interface ForwardCase {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

const UNCHANGED: ForwardCase = { name: 'values as they are', settings: {} };
const CASES = [UNCHANGED, { name: 'values redacted', settings: { REDACT_VALUES: 'true' } }];

/** Separate services: what the data plane and the control plane use while they catch up on events that are stored already. */
export async function* measureForwardOnEngines(): AsyncGenerator<ForwardFigures> {
  const stopEngines = await startEngines();
  try {
    for (const { name, settings } of CASES) {
      const stack = await startSplit(enginesFromEnvironment(), { dataPlane: { ...settings } });
      try {
        yield { name, ...(await measureCatchingUp(stack)) };
      } finally {
        await stack.stop();
      }
    }
  } finally {
    await stopEngines();
  }
}

async function measureCatchingUp(stack: Stack): Promise<Omit<ForwardFigures, 'name'>> {
  const newBody = makeBodies();
  await createQueues(stack);
  await sendBodies(stack, Array.from({ length: BATCHES / 4 }, newBody));
  await forwarded(stack);
  await stack.kill('control-plane');
  await sendBodies(stack, Array.from({ length: BATCHES }, newBody));
  await stack.start('control-plane');
  const used = () => cpuSeconds(stack.pid('data-plane')) + cpuSeconds(stack.pid('control-plane'));
  const before = used();
  await forwarded(stack);
  const forwarding = ((used() - before) * 1e6) / EVENTS;
  return { events: EVENTS, whole: forwarding, forwarding };
}

/** The same events with and without being forwarded, past three queues of which one takes an event in a hundred. */
export async function* measureForward(): AsyncGenerator<ForwardFigures> {
  const { bare, costs } = await measureRounds(CASES);
  yield { name: 'not forwarded', events: EVENTS, whole: median(bare), forwarding: 0 };
  for (const { name, whole, forwarding } of costs)
    yield { name, events: EVENTS, whole: median(whole), forwarding: median(forwarding) };
}

/** Returns the microseconds of CPU per event that forwarding adds, with values as they are: the median of the rounds. */
export async function measureForwardAdded(): Promise<number> {
  const { costs } = await measureRounds([UNCHANGED]);
  return median(costs.flatMap(({ forwarding }) => forwarding));
}

/** Measures rounds in which every case follows the load without forwarding. */
async function measureRounds(cases: readonly ForwardCase[]) {
  const bare: number[] = [];
  const costs = cases.map(({ name }) => ({ name, whole: [] as number[], forwarding: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    const without = await measureLoad({ FORWARD_EVENTS: 'false' });
    bare.push(without);
    for (const [index, { settings }] of cases.entries()) {
      const whole = await measureLoad(settings);
      costs[index]!.whole.push(whole);
      costs[index]!.forwarding.push(whole - without);
    }
  }
  return { bare, costs };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

async function measureLoad(settings: Readonly<Record<string, string>>): Promise<number> {
  const newBody = makeBodies();
  const stack = await startStandalone({ LOG_LEVEL: 'warn', ...settings });
  try {
    await createQueues(stack);
    const send = async (bodies: readonly Buffer[]) => {
      await sendBodies(stack, bodies);
      if (settings.FORWARD_EVENTS !== 'false') await forwarded(stack);
    };
    const bodies = Array.from({ length: BATCHES }, newBody);
    await send(Array.from({ length: BATCHES / 4 }, newBody));
    const before = cpuSeconds(stack.pid('standalone'));
    await send(bodies);
    await new Promise((resume) => setTimeout(resume, MERGE_TAIL_MS));
    return ((cpuSeconds(stack.pid('standalone')) - before) * 1e6) / EVENTS;
  } finally {
    await stack.stop();
  }
}

/** Batches of a hundred events, each of one session. */
function makeBodies(): () => Buffer {
  const prose = new Prose(join(repository, 'node_modules'), seeded(EVENT_BYTES));
  return () => {
    const session_id = randomUUID();
    const event = (_: unknown, score: number) =>
      jsonEvent(prose, EVENT_BYTES, { session_id, metadata: { score } });
    return Buffer.from(JSON.stringify({ events: Array.from({ length: EVENTS_PER_BATCH }, event) }));
  };
}

/** Sends them and waits until they are stored. */
async function sendBodies(stack: Stack, bodies: readonly Buffer[]): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${stack.apiKey}` };
  const { refused } = await sendLoad({
    url: `${stack.baseUrl}/v1/events/batch`,
    headers,
    bodies,
    concurrency: CONCURRENCY,
  });
  if (refused > 0) throw new Error(`${refused} requests were refused`);
  await stored(stack);
}

async function createQueues(stack: Stack): Promise<void> {
  const is = (field: string, operator: string, value: unknown, type: string) => ({
    filterArray: [{ field, operator, value, type }],
  });
  const filters = [
    is('metadata.score', 'is', 7, 'number'),
    is('event_name', 'contains', 'refund', 'string'),
    is('outputs.verdict', 'exists', null, 'string'),
  ];
  for (const [index, one] of filters.entries()) {
    const { status, text } = await new Client(stack).post('/v1/queues', {
      name: `queue ${index}`,
      filters: one,
    });
    if (status !== 200) throw new Error(`creating a queue returned ${status}: ${text}`);
  }
}
