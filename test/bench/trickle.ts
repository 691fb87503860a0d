import { startEngines } from '../harness/engines/start-engines.js';
import { startClickHouse } from '../harness/engines/start-clickhouse.js';
import { Client } from '../harness/stack/client.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';
import { scrape } from '../overload/watch-process.js';
import { cpuSeconds } from './cpu-time.js';
import type { Part } from './part.js';
import { stored } from './stored.js';

const PARTITIONS = 12;
const PER_SECOND = 60;
const SECONDS = 20;
const WARM_UP_SECONDS = 5;

/** Few events each second through many partitions: what an installation costs that does little. */
export const TRICKLE: Part = {
  title: `trickle: ${PER_SECOND} events per second on ${PARTITIONS} partitions, separate services`,
  columns: [
    'events',
    'batches',
    'writes',
    'cores of ClickHouse',
    'cores of the data plane',
    'mean ms until visible',
  ],
  async *rows() {
    const clickHouse = await startClickHouse();
    process.env.CLICKHOUSE_URL = clickHouse.url;
    const stopEngines = await startEngines();
    try {
      const everywhere = { KAFKA_PARTITIONS: String(PARTITIONS) };
      const stack = await startSplit(enginesFromEnvironment(), { everywhere });
      try {
        yield await measureTrickle(stack, clickHouse.pid);
      } finally {
        await stack.stop();
      }
    } finally {
      await stopEngines();
      await clickHouse.stop();
    }
  },
};

async function measureTrickle(stack: Stack, clickHousePid: number): Promise<readonly (string | number)[]> {
  await send(stack, WARM_UP_SECONDS);
  await stored(stack);
  const before = await usedBy(stack, clickHousePid);
  const events = await send(stack, SECONDS);
  await stored(stack);
  const after = await usedBy(stack, clickHousePid);
  const cores = (name: 'clickHouse' | 'dataPlane') => ((after[name] - before[name]) / SECONDS).toFixed(2);
  const counts = [after.batches - before.batches, after.writes - before.writes];
  const visibleMs = ((after.visibleSeconds - before.visibleSeconds) * 1_000) / events;
  return [events, ...counts, cores('clickHouse'), cores('dataPlane'), visibleMs.toFixed(0)];
}

async function usedBy(stack: Stack, clickHousePid: number) {
  const adminUrl = stack.adminUrl('data-plane');
  return {
    clickHouse: cpuSeconds(clickHousePid),
    dataPlane: cpuSeconds(stack.pid('data-plane')),
    batches: await scrape(adminUrl, 'assay_store_batch_seconds_count'),
    writes: await scrape(adminUrl, 'assay_store_writes_total'),
    visibleSeconds: await scrape(adminUrl, 'assay_event_visible_seconds_sum'),
  };
}

/** Sends single events, each in a session of its own, at the rate of the bench. Returns how many. */
async function send(stack: Stack, seconds: number): Promise<number> {
  const client = new Client(stack);
  const startedAt = performance.now();
  const sent: Promise<unknown>[] = [];
  for (; sent.length < seconds * PER_SECOND;) {
    const dueAt = startedAt + (sent.length * 1_000) / PER_SECOND;
    await new Promise((resume) => setTimeout(resume, Math.max(0, dueAt - performance.now())));
    sent.push(
      client.post('/v1/events', {
        event_type: 'tool',
        event_name: 'trickle',
        inputs: { text: 'x'.repeat(500) },
      }),
    );
  }
  await Promise.all(sent);
  return sent.length;
}
