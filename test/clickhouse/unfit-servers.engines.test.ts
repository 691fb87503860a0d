import { createClickHouseEventStore, type EventStore } from '@assay/event-store';
import { refuseFaults } from '@assay/runtime';
import { FAULTS_PATH } from '../harness/engines/clickhouse-front/front-server.js';
import { startServer } from './server-config.js';

const TWO_SHARDS = ['01', '02'].map(
  () => '<shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard>',
);
const CLUSTERS = `<one>${TWO_SHARDS[0]}</one><two>${TWO_SHARDS.join('')}</two>`;
const MACROS = { shard: '01', replica: 'one' };

interface Unfit {
  /** Text of statements, and what the server runs instead. */
  readonly rewrite?: { readonly match: string; readonly replacement: string };
  readonly macros?: Readonly<Record<string, string>>;
  readonly cluster?: string;
  readonly shards?: number;
}

/** Runs a function on the store of a server with clusters of one and two shards. */
async function withServer(
  { rewrite, macros = MACROS, ...options }: Unfit,
  run: (store: EventStore) => Promise<void>,
) {
  const server = await startServer({ clusters: CLUSTERS, macros });
  if (rewrite !== undefined) {
    const fault = { kind: 'rewrite', times: 1_000, ...rewrite };
    await fetch(server.url + FAULTS_PATH, { method: 'POST', body: JSON.stringify(fault) });
  }
  const store = createClickHouseEventStore({ url: server.url, ...options });
  try {
    await run(store);
  } finally {
    await store.administration.close();
    await server.stop();
  }
}

describe('a server that does not fit', () => {
  it.each<[string, Unfit, string]>([
    [
      'a version that is too old',
      { rewrite: { match: 'version()', replacement: `'24.3.18.7'` } },
      'ClickHouse version: 24.3.18.7 is older than 25.8, upgrade it to 25.8 or newer',
    ],
    [
      'a database with the engine Replicated',
      {
        rewrite: {
          match: 'SELECT engine FROM system.databases',
          replacement: `SELECT 'Replicated' AS engine FROM system.one LIMIT 1 UNION ALL SELECT engine FROM system.databases`,
        },
      },
      'the database assay has the engine Replicated',
    ],
    ['a cluster that is not there', { cluster: 'three' }, 'the server knows no cluster three'],
    [
      'missing macros',
      { cluster: 'one', macros: { replica: 'one' } },
      'the macros {shard} and {replica} are not set',
    ],
    ['several shards', { cluster: 'two' }, 'set CLICKHOUSE_SHARDS=2 to confirm it'],
    [
      'another number of shards',
      { cluster: 'two', shards: 3 },
      'the cluster has 2 shards, and CLICKHOUSE_SHARDS is 3',
    ],
  ])('is refused for %s, with exit code 78 and what to do', async (_, unfit, sentence) => {
    await withServer(unfit, async (store) => {
      const message = expect.stringContaining(sentence) as string;
      await expect(store.administration.inspect().then(refuseFaults)).rejects.toMatchObject({
        exitCode: 78,
        message,
      });
    });
  });

  it.each<[string, Unfit]>([
    ['several shards whose number is confirmed', { cluster: 'two', shards: 2 }],
    ['one shard', { cluster: 'one' }],
  ])('is not refused for %s', async (_, fit) => {
    await withServer(fit, async (store) => {
      expect((await store.administration.inspect()).filter(({ ok }) => !ok)).toEqual([]);
    });
  });

  it('is used with a warning when its version is newer than the tested ones', async () => {
    await withServer({ rewrite: { match: 'version()', replacement: `'27.1.1.1'` } }, async (store) => {
      const warned: unknown[] = [];
      const logger = { warn: (_: string, fields?: object) => void warned.push(fields) };
      refuseFaults(await store.administration.inspect(), logger);
      const detail = expect.stringContaining('27.1.1.1, newer than') as string;
      expect(warned).toEqual([expect.objectContaining({ dependency: 'ClickHouse version', detail })]);
      await store.administration.migrate();
    });
  });
});
