import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { mountSmallDisk } from '../harness/disk/small-disk.js';
import { startKafka } from '../harness/engines/kafka/start-kafka.js';
import { startClickHouse } from '../harness/engines/start-clickhouse.js';
import { Client } from '../harness/stack/client.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';

const WITHIN = { withinMs: 120_000 };
/** An event that fits into no remainder of a file, and does not compress. */
const EVENT_BYTES = 256 * 1024;

describe('separate services while a disk is full', () => {
  const disks = { kafka: mountSmallDisk(512), clickHouse: mountSmallDisk(256), snapshot: mountSmallDisk(8) };
  const areMounted = Object.values(disks).every(({ isMounted }) => isMounted);
  const onSmallDisks = areMounted ? it : it.skip;
  if (!areMounted) process.stderr.write('no small file systems: this process may not mount them\n');
  const acknowledged: string[] = [];
  let kafka: Awaited<ReturnType<typeof startKafka>> | undefined;
  let clickHouse: Awaited<ReturnType<typeof startClickHouse>> | undefined;
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    if (!areMounted) return;
    [kafka, clickHouse] = await Promise.all([
      startKafka({ dir: join(disks.kafka.dir, 'kafka') }),
      startClickHouse({ dir: disks.clickHouse.dir }),
    ]);
    stack = await startSplit(
      { ...enginesFromEnvironment(), kafkaBrokers: kafka.brokers, clickhouseUrl: clickHouse.url },
      { dataPlane: { ASSAY_DATA_DIR: join(disks.snapshot.dir, 'data') } },
    );
    client = new Client(stack);
  }, 180_000);
  afterAll(async () => {
    expect(await stack?.stop()).not.toBe(false);
    await kafka?.stop();
    await clickHouse?.stop();
    for (const disk of Object.values(disks)) disk.remove();
  }, 90_000);

  const write = async (): Promise<number> => {
    const inputs = { text: randomBytes(EVENT_BYTES / 2).toString('hex') };
    const response = await client.post('/v1/events', { event_type: 'tool', inputs });
    if (response.status === 200) acknowledged.push(response.json<{ event_id: string }>().event_id);
    else expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    return response.status;
  };
  const find = (id: string, headers: Record<string, string> = {}) =>
    client.call('GET', `/v1/events/${id}`, { headers });
  const storedEvent = async () => {
    await waitFor('a write is accepted', async () => (await write()) === 200, WITHIN);
    const id = acknowledged.at(-1)!;
    await waitFor('it is stored', async () => (await find(id, { prefer: 'wait=30' })).status === 200, WITHIN);
    return id;
  };
  const expectAllStored = async () => {
    await storedEvent();
    for (const id of acknowledged) expect((await find(id)).status).toBe(200);
  };
  const storeRetries = async () => {
    const metrics = await readMetrics(stack.adminUrl('data-plane'));
    return Number(/^assay_reader_retries_total\{group="store"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
  };

  onSmallDisks(
    'accept events while that of ClickHouse is full, also after a kill, and store them afterwards',
    async () => {
      const id = await storedEvent();
      disks.clickHouse.fill();
      const writeUntilRetried = () =>
        waitFor(
          'storing is retried',
          async () => {
            expect(await write()).toBe(200);
            return (await storeRetries()) > 0;
          },
          WITHIN,
        );
      await writeUntilRetried();
      expect((await find(id)).status).toBe(200);
      await stack.kill('data-plane');
      await stack.start('data-plane');
      await writeUntilRetried();
      expect((await find(id)).status).toBe(200);
      disks.clickHouse.free();
      await expectAllStored();
    },
    300_000,
  );

  onSmallDisks(
    'refuse writes and serve reads while that of Kafka is full, and accept writes afterwards',
    async () => {
      const id = await storedEvent();
      disks.kafka.fill();
      await waitFor('writes are refused', async () => (await write()) === 503, WITHIN);
      expect((await find(id)).status).toBe(200);
      expect((await client.post('/v1/events/search', { limit: 1 })).status).toBe(200);
      disks.kafka.free();
      // A broker whose log directory has failed stops; its supervisor starts it again.
      await kafka?.restart();
      await expectAllStored();
    },
    300_000,
  );

  onSmallDisks(
    'serve requests while that of the key snapshot is full, also after a kill',
    async () => {
      disks.snapshot.fill();
      const name = randomUUID();
      const made = await client.post('/v1/projects', { name }, { key: stack.adminToken });
      const key = made.json<{ api_key: string }>().api_key;
      const accepted = await client.post('/v1/events', { event_type: 'tool', inputs: {} }, { key });
      expect(accepted.status).toBe(200);
      await stack.kill('data-plane');
      await stack.start('data-plane');
      await expectAllStored();
      disks.snapshot.free();
    },
    180_000,
  );
});
