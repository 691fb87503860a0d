import { Agent } from 'node:http';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { capacityOf } from '../overload/capacity.js';
import { floodFromProcess } from '../overload/flood-from-process.js';
import { flood, type FloodResult } from '../overload/flood.js';
import { openSlowSockets } from '../overload/slow-sockets.js';
import { eventsFrom, largeBatch, newProject, spansFrom } from '../overload/sources.js';
import { scrape, watchProcess } from '../overload/watch-process.js';
import { percentile } from './send-load.js';

/** What a quiet project notices while other clients overload the server. */
export interface OverloadFigures {
  readonly name: string;
  /** Milliseconds to the whole response. */
  readonly p50: number;
  readonly p99: number;
  /** Medians and 99th percentiles, relative to those of the quiet project alone. */
  readonly ratio: { readonly p50: number; readonly p99: number };
  /** How many times longer the main thread took because other processes had the CPU. */
  readonly slowdown: number;
  readonly lagP99Ms: number;
  readonly residentMegabytes: number;
}

const DURATION_MS = 20_000;
const QUIET_PER_SECOND = 20;
const QUIET_CONNECTIONS = 4;
const LARGE_BODIES = 6;
const SLOW_SOCKETS = 500;
const LAG = 'nodejs_eventloop_lag_p99_seconds';

/** Starts a load beside the quiet project; resolves with what ends it, or waits for its end. */
type Neighbour = () => Promise<() => unknown>;

/** Measures a quiet project alone, then beside each kind of neighbour. */
export async function* measureOverload(): AsyncGenerator<OverloadFigures> {
  const stack = await startStandalone({ LOG_LEVEL: 'error' });
  const agent = new Agent({ keepAlive: true, maxSockets: QUIET_CONNECTIONS });
  try {
    const quiet = { ...eventsFrom(stack, await newProject(stack, 'quiet')), agent };
    await flood({ ...quiet, perSecond: 200, durationMs: 200 });
    let alone: FloodResult | undefined;
    for (const [name, neighbour] of await neighboursOn(stack)) {
      await scrape(stack.adminUrl('standalone'), LAG);
      const end = await neighbour();
      const watch = watchProcess(stack.pid('standalone'));
      const result = await flood({ ...quiet, perSecond: QUIET_PER_SECOND, durationMs: DURATION_MS });
      const { slowdown, megabytes } = watch.stop();
      await end();
      alone ??= result;
      const lagP99Ms = 1_000 * (await scrape(stack.adminUrl('standalone'), LAG));
      yield { name, ...latenciesOf(result, alone), slowdown, lagP99Ms, residentMegabytes: megabytes };
    }
  } finally {
    agent.destroy();
    await stack.stop();
  }
}

async function neighboursOn(stack: Stack): Promise<readonly (readonly [string, Neighbour])[]> {
  const loud = spansFrom(stack, await newProject(stack, 'loud'));
  const capacity = await capacityOf(loud);
  const large = eventsFrom(stack, await newProject(stack, 'large'));
  const running = (load: Promise<unknown>) => Promise.resolve(() => load);
  return [
    ['alone', () => Promise.resolve(() => undefined)],
    [
      'beside 10 × the capacity',
      () => running(floodFromProcess({ ...loud, perSecond: capacity * 10, durationMs: DURATION_MS })),
    ],
    [
      'beside bodies of 50 MB',
      () =>
        running(
          flood({
            ...large,
            url: `${large.url}/batch`,
            bodies: [largeBatch()],
            perSecond: LARGE_BODIES,
            durationMs: 1_000,
          }),
        ),
    ],
    ['beside 500 slow connections', () => openSlowSockets(stack, SLOW_SOCKETS)],
  ];
}

function latenciesOf({ latencies }: FloodResult, alone: FloodResult) {
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  const ratio = { p50: p50 / percentile(alone.latencies, 0.5), p99: p99 / percentile(alone.latencies, 0.99) };
  return { p50, p99, ratio };
}
