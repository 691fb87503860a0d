import { Agent } from 'node:http';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { Client } from '../harness/stack/client.js';
import { percentile, sendLoad } from '../bench/send-load.js';
import { floodFromProcess } from './flood-from-process.js';
import { flood, type FloodResult } from './flood.js';
import { eventsFrom, newProject, spansFrom, type Source } from './sources.js';
import { scrape, watchProcess, type Seen } from './watch-process.js';

/** How long the load goes on; raise it with `OVERLOAD_SECONDS` for a long run. */
const durationMs = Number(process.env.OVERLOAD_SECONDS ?? 20) * 1_000;
const MAX_RESIDENT_MEGABYTES = 2_048;
const LAG = 'nodejs_eventloop_lag_p99_seconds';
const MAX_LAG_SECONDS = 0.2;
const QUIET_PER_SECOND = 5;
/** Connections of the quiet project. They are there before the crowd comes: the system hands over new ones after those of the crowd. */
const QUIET_CONNECTIONS = 4;
/** What a project may wait beside a loud one when twice of what it waits alone is less: a few pieces of work, and one sync to disk with others. */
const LEAST_BOUNDS_MS = { median: 250, p99: 500 };
/** OTLP exporters give up after ten seconds: another project must be far from that, whatever the machine. */
const MAX_QUIET_P99_MS = 5_000;
/** Seconds within which what was accepted of the quiet project can be found, whatever the loud one sends. */
const VISIBLE_WITHIN = 30;

/**
 * The loads come from processes of their own, at low priority, because on the same machine they would otherwise take the cores from what they
 * measure. What is measured by the clock is divided by how much longer things took because other processes had the cores.
 */
describe('the single process under more than it can do', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));
  let loud: Source;
  let perSecond: number;
  beforeAll(async () => {
    loud = spansFrom(stack, await newProject(stack, 'loud'));
    perSecond = await capacityOf(loud);
  }, 120_000);

  it('refuses what is too much with 503 and Retry-After, breaks nothing off and stays within 2 GiB', async () => {
    await scrape(stack.adminUrl('standalone'), LAG);
    const watch = watchProcess(stack.pid('standalone'));
    const result = await floodFromProcess({ ...loud, perSecond: perSecond * 10, durationMs });
    const lagP99 = await scrape(stack.adminUrl('standalone'), LAG);
    const seen = watch.stop();
    report('10 × overload', result, { perSecond, ...seen, lagP99 });
    expectOrderlyRefusals(result);
    expect(result.statuses[503]).toBeGreaterThan(0);
    expect(seen.megabytes).toBeLessThan(MAX_RESIDENT_MEGABYTES);
    expect(lagP99 / seen.slowdown).toBeLessThan(MAX_LAG_SECONDS);
    expect((await new Client(stack).post('/v1/events', { event_type: 'tool', inputs: {} })).status).toBe(200);
  }, 300_000);

  it('lets another project go on when one sends a hundred times as much', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: QUIET_CONNECTIONS });
    const key = await newProject(stack, 'quiet');
    const quiet = { ...eventsFrom(stack, key), perSecond: QUIET_PER_SECOND, agent };
    await flood({ ...quiet, perSecond: 200, durationMs: 200 });

    const [alone] = await watched(flood({ ...quiet, durationMs: durationMs / 2 }));
    const crowd = floodFromProcess({
      ...loud,
      perSecond: Math.max(QUIET_PER_SECOND * 100, perSecond * 5),
      durationMs,
    });
    const [beside, { slowdown }] = await watched(flood({ ...quiet, durationMs }));
    const found = await new Client(stack, key).post(
      '/v1/events/search',
      { filters: [], limit: 1 },
      {
        headers: { prefer: `wait=${VISIBLE_WITHIN}` },
        timeoutMs: 40_000,
      },
    );
    const refused = await crowd;
    agent.destroy();
    report('alone', alone);
    report('beside a loud project', beside, { slowdown });
    report('the loud project', refused);

    expect([Object.keys(beside.statuses), beside.broken]).toEqual([['200'], {}]);
    expect(refused.statuses[503]).toBeGreaterThan(0);
    expect([found.status, found.headers.get('assay-freshness')]).toEqual([200, 'current']);
    // Its requests do not queue behind those of the loud one: the slowest is faster than what the loud one waits as a rule.
    expect(percentile(beside.latencies, 0.99)).toBeLessThan(percentile(refused.latencies, 0.5));
    expect(percentile(beside.latencies, 0.99)).toBeLessThan(MAX_QUIET_P99_MS);
    const bound = (share: number, least: number) => Math.max(2 * percentile(alone.latencies, share), least);
    expect(percentile(beside.latencies, 0.5) / slowdown).toBeLessThan(bound(0.5, LEAST_BOUNDS_MS.median));
    expect(percentile(beside.latencies, 0.99) / slowdown).toBeLessThan(bound(0.99, LEAST_BOUNDS_MS.p99));
  }, 300_000);

  async function watched(load: Promise<FloodResult>): Promise<[FloodResult, Seen]> {
    const watch = watchProcess(stack.pid('standalone'));
    return [await load, watch.stop()];
  }
});

/** Requests per second that a closed loop gets through. */
async function capacityOf(source: Source): Promise<number> {
  const load = { ...source, concurrency: 8 };
  await sendLoad(load);
  const startedAt = performance.now();
  const { accepted } = await sendLoad({ ...load, bodies: [...source.bodies, ...source.bodies] });
  return accepted / ((performance.now() - startedAt) / 1_000);
}

function expectOrderlyRefusals({ statuses, broken, retryAfter }: FloodResult): void {
  expect(broken).toEqual({});
  expect(Object.keys(statuses).filter((status) => status !== '200' && status !== '503')).toEqual([]);
  for (const seconds of retryAfter) expect(Number(seconds)).toBeGreaterThanOrEqual(1);
  for (const seconds of retryAfter) expect(Number(seconds)).toBeLessThanOrEqual(30);
}

function report(what: string, { statuses, latencies, notSent }: FloodResult, more: object = {}): void {
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)].map(Math.round);
  process.stdout.write(`${what}: ${JSON.stringify({ statuses, p50, p99, notSent, ...more })}\n`);
}
