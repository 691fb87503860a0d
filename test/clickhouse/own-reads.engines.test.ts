import { randomUUID } from 'node:crypto';
import { aReaderOf, consumed, NOW, PROJECT } from '@assay/data-plane/test/store-batch-fixture';
import { acceptEvent } from '@assay/domain';
import { createClickHouseEventStore } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-rows';
import { refuseFaults } from '@assay/runtime';
import { FAULTS_PATH } from '../harness/engines/clickhouse-front/front-server.js';
import { startReplicaFront, type ReplicaFront } from './replica-front.js';
import { startServer } from './server-config.js';

const EVENTS = 1_000;
const ROUNDS = 10;
const LAG_MS = 2_000;
/** Beyond the end of the test. */
const STALE_MS = 3_600_000;
const SHARD =
  '<shard><internal_replication>true</internal_replication>' +
  '<replica><host>127.0.0.1</host><port>9000</port></replica></shard>';
const CLUSTERS = `<main>${SHARD}</main><larger>${SHARD}${SHARD}</larger>`;
const MACROS = { shard: '01', replica: 'one' };

interface Updates {
  readonly front: ReplicaFront;
  readonly database: string;
  readonly cluster?: string;
  readonly rounds: number;
  readonly lagMs: number;
}

/** Number of updates that the events lack after all of them, each by a reader that has seen none of the others. */
async function lostUpdates({ front, rounds, lagMs, ...options }: Updates): Promise<number> {
  const store = createClickHouseEventStore({ url: front.url, ...options });
  try {
    await store.administration.migrate();
    front.lagBy(lagMs);
    const events = Array.from({ length: EVENTS }, () => {
      const sent = { event_type: 'model' as const, inputs: {}, start_time: NOW };
      return acceptEvent(sent, { projectId: PROJECT, now: NOW, newId: randomUUID }).event;
    });
    await aReaderOf(store)(
      events.map((event) => consumed('event', event.event_id, Buffer.from(encodeEventRow(event)))),
    );
    for (let round = 0; round < rounds; round++) {
      const patch = Buffer.from(JSON.stringify({ metadata: { [`key${round}`]: round } }));
      await aReaderOf(store)(events.map((event) => consumed('patch', event.event_id, patch)));
    }
    await front.settled();
    const keys = events.map(({ event_id: eventId }) => ({ projectId: PROJECT, eventId }));
    const states = [...(await store.states.read(keys)).values()];
    const kept = states.reduce((sum, { event }) => sum + Object.keys(event?.metadata ?? {}).length, 0);
    return EVENTS * rounds - kept;
  } finally {
    await store.administration.close();
  }
}

describe('a store with two replicas, of which the second one lags by two seconds', () => {
  async function onReplicas(run: (front: ReplicaFront, server: string) => Promise<void>, database: string) {
    const server = await startServer({ clusters: CLUSTERS, macros: MACROS });
    const front = await startReplicaFront({ target: server.url, database });
    try {
      await run(front, server.url);
    } finally {
      await front.stop();
      await server.stop();
    }
  }

  it('loses none of 10,000 updates on a cluster', async () => {
    await onReplicas(async (front) => {
      expect(
        await lostUpdates({ front, database: 'own_reads', cluster: 'main', rounds: ROUNDS, lagMs: LAG_MS }),
      ).toBe(0);
    }, 'own_reads');
  }, 300_000);

  it('loses none where the tables are in shared storage', async () => {
    await onReplicas(async (front, server) => {
      const fault = {
        kind: 'rewrite',
        times: 1_000,
        match: 'SELECT engine FROM system.tables',
        replacement: `SELECT concat('Shared', engine) AS engine FROM system.tables`,
      };
      await fetch(server + FAULTS_PATH, { method: 'POST', body: JSON.stringify(fault) });
      expect(await lostUpdates({ front, database: 'shared_reads', rounds: 2, lagMs: STALE_MS })).toBe(0);
    }, 'shared_reads');
  }, 300_000);

  it('refuses a cluster with another number of shards than its tables have', async () => {
    await onReplicas(async (front) => {
      const on = (cluster: string, shards?: number) =>
        createClickHouseEventStore({ url: front.url, database: 'sharded', cluster, shards });
      const [one, two] = [on('main'), on('larger', 2)];
      await one.administration.migrate();
      refuseFaults(await one.administration.inspect());
      await expect(two.administration.inspect().then(refuseFaults)).rejects.toMatchObject({
        exitCode: 78,
        message: expect.stringContaining(
          'the tables are distributed over 1 shards, and the cluster has 2, restore their number',
        ) as string,
      });
      await Promise.all([one.administration.close(), two.administration.close()]);
    }, 'sharded');
  }, 300_000);

  it('loses some where its statements do not ask for the last write', async () => {
    await onReplicas(async (front) => {
      expect(
        await lostUpdates({ front, database: 'stale_reads', rounds: 2, lagMs: STALE_MS }),
      ).toBeGreaterThan(0);
      expect(front.staleReads).toBeGreaterThan(0);
    }, 'stale_reads');
  }, 300_000);
});
