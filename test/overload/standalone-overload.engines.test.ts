import { Agent } from 'node:http';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { percentile, sendLoad } from '../bench/send-load.js';
import { flood, type FloodResult } from './flood.js';
import { eventsFrom, newProject, spansFrom, type Source } from './sources.js';
import { scrape, watchProcess } from './watch-process.js';

/** How long the load goes on; raise it with `OVERLOAD_SECONDS` for a long run. */
const durationMs = Number(process.env.OVERLOAD_SECONDS ?? 20) * 1_000;
const MAX_RESIDENT_MEGABYTES = 2_048;
/** OTLP exporters give up after ten seconds: another project must be far from that, whatever the machine. */
const MAX_QUIET_P99_MS = 5_000;

describe('the single process under more than it can do', () => {
  let stack: Stack;
  let loud: Source;
  let perSecond: number;
  beforeAll(async () => {
    stack = await startStandalone({ LOG_LEVEL: 'error' });
    loud = spansFrom(stack, await newProject(stack, 'loud'));
    perSecond = await capacityOf(loud);
  }, 120_000);
  afterAll(async () => {
    expect(await stack.stop()).toBe(true);
  }, 60_000);

  it('refuses what is too much with 503 and Retry-After, breaks nothing off and stays within 2 GiB', async () => {
    const watch = watchProcess(stack.pid('standalone'));
    const result = await flood({ ...loud, perSecond: perSecond * 10, durationMs });
    const most = watch.stop();
    report('10 × overload', result, {
      perSecond,
      most,
      lagP99: await scrape(stack.adminUrl('standalone'), 'nodejs_eventloop_lag_p99_seconds'),
    });
    expectOrderlyRefusals(result);
    expect(result.statuses[503]).toBeGreaterThan(0);
    expect(most).toBeLessThan(MAX_RESIDENT_MEGABYTES);
    expect((await new Client(stack).post('/v1/events', { event_type: 'tool', inputs: {} })).status).toBe(200);
  }, 300_000);

  it('lets another project go on when one sends a hundred times as much', async () => {
    // Its connections are there before the crowd comes: new ones would wait for the system to accept those of the loud project first.
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    const quiet = { ...eventsFrom(stack, await newProject(stack, 'quiet')), perSecond: 5, agent, maxOpen: 2 };
    const alone = await flood({ ...quiet, durationMs: 5_000 });
    const [hurt, crowd] = await Promise.all([
      flood({ ...quiet, durationMs }),
      flood({ ...loud, perSecond: Math.max(quiet.perSecond * 100, perSecond * 5), durationMs }),
    ]);
    agent.destroy();
    report('alone', alone);
    report('beside a loud project', hurt);
    report('the loud project', crowd);
    expect([Object.keys(hurt.statuses), hurt.broken]).toEqual([['200'], {}]);
    expect(crowd.statuses[503]).toBeGreaterThan(0);
    // Its requests do not queue behind those of the loud one: the slowest is faster than what the loud one waits as a rule.
    expect(percentile(hurt.latencies, 0.99)).toBeLessThan(percentile(crowd.latencies, 0.5));
    expect(percentile(hurt.latencies, 0.99)).toBeLessThan(MAX_QUIET_P99_MS);
  }, 300_000);
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
