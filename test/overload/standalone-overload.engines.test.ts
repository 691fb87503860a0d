import { Agent } from 'node:http';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { capacityOf } from './capacity.js';
import { floodFromProcess } from './flood-from-process.js';
import { flood, type FloodResult } from './flood.js';
import { eventsFrom, newProject, spansFrom, type Source } from './sources.js';
import { watchProcess } from './watch-process.js';

/** Duration of each load; raise it with `OVERLOAD_SECONDS` for a long run. */
const durationMs = Number(process.env.OVERLOAD_SECONDS ?? 20) * 1_000;
const MAX_RESIDENT_MEGABYTES = 2_048;
const QUIET_PER_SECOND = 5;
/** Connections of the quiet project, opened before the load: the system accepts new ones behind those of the load. */
const QUIET_CONNECTIONS = 4;
const FOUND_WITHIN_MS = 180_000;

/**
 * Asserts what does not depend on the machine: responses, losses, memory. Latencies beside a load are figures of
 * `npm run bench -- overload`. The loads come from processes of low priority, as a client on another machine takes no CPU from the server.
 */
describe('the standalone process beyond its capacity', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));
  let loud: Source;
  let perSecond: number;
  beforeAll(async () => {
    loud = spansFrom(stack, await newProject(stack, 'loud'));
    perSecond = await capacityOf(loud);
  }, 120_000);

  it('rejects the excess with 503 and Retry-After, breaks no connection and stays within 2 GiB', async () => {
    const watch = watchProcess(stack.pid('standalone'));
    const result = await floodFromProcess({ ...loud, perSecond: perSecond * 10, durationMs });
    const { megabytes } = watch.stop();
    report('10 × capacity', result, { perSecond, megabytes });
    expectOrderlyRefusals(result);
    expect(result.statuses[503]).toBeGreaterThan(0);
    expect(megabytes).toBeLessThan(MAX_RESIDENT_MEGABYTES);
    expect((await new Client(stack).post('/v1/events', { event_type: 'tool', inputs: {} })).status).toBe(200);
  }, 600_000);

  it('accepts and stores every event of a project beside one that sends a hundred times as much', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: QUIET_CONNECTIONS });
    const key = await newProject(stack, 'quiet');
    const quiet = { ...eventsFrom(stack, key), perSecond: QUIET_PER_SECOND, agent };
    const before = await flood({ ...quiet, perSecond: 200, durationMs: 200 });

    const crowd = floodFromProcess({
      ...loud,
      perSecond: Math.max(QUIET_PER_SECOND * 100, perSecond * 5),
      durationMs,
    });
    const beside = await flood({ ...quiet, durationMs });
    const refused = await crowd;
    agent.destroy();
    report('beside a loud project', beside);
    report('the loud project', refused);

    expect([Object.keys(beside.statuses), beside.broken, beside.notSent]).toEqual([['200'], {}, 0]);
    expectOrderlyRefusals(refused);
    expect(refused.statuses[503]).toBeGreaterThan(0);
    const accepted = before.statuses[200]! + beside.statuses[200]!;
    expect(await countOf(new Client(stack, key))).toBe(accepted);
  }, 600_000);
});

/** Number of events of a project once everything accepted is stored. */
function countOf(client: Client): Promise<number> {
  const filters = [{ field: 'event_type', operator: 'is', value: 'tool', type: 'string' }];
  const search = () =>
    client.post('/v1/events/search', { filters, limit: 1 }, { headers: { prefer: 'wait=30' } });
  return waitFor(
    'everything accepted is stored',
    async () => {
      const response = await search();
      const isCurrent = response.status === 200 && response.headers.get('assay-freshness') === 'current';
      return isCurrent && response.json<{ count: number }>().count;
    },
    { withinMs: FOUND_WITHIN_MS },
  );
}

function expectOrderlyRefusals({ statuses, broken, retryAfter }: FloodResult): void {
  expect(broken).toEqual({});
  expect(Object.keys(statuses).filter((status) => status !== '200' && status !== '503')).toEqual([]);
  for (const seconds of retryAfter) expect(Number(seconds)).toBeGreaterThanOrEqual(1);
  for (const seconds of retryAfter) expect(Number(seconds)).toBeLessThanOrEqual(30);
}

function report(name: string, { statuses, notSent }: FloodResult, more: object = {}): void {
  process.stdout.write(`${name}: ${JSON.stringify({ statuses, notSent, ...more })}\n`);
}
