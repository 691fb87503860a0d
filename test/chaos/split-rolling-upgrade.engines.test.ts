import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { seeded } from '../bench/prose.js';
import { Client } from '../harness/stack/client.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { History } from './history.js';
import { rowsWithoutPayloadOfServer } from './rows-without-payload.js';
import { judgeHistory } from './judge-history.js';
import { startLoad, type RunningLoad } from './load.js';
import { readBack, SERVER_FIELDS } from './read-back.js';

const seed = Number(process.env.SEED ?? Date.now() % 100_000);
const WITHIN_MS = 180_000;
/** Requests that each load gets acknowledged between two restarts. */
const REQUESTS = 8;

/**
 * The new version of each process, in the order in which it replaces the old one. Both are the code of this tree: the old processes change
 * tables at their start and have all roles, the new ones do not, and one of them leaves the readers to the other.
 */
const UPGRADE: readonly (readonly [service: string, settings: Readonly<Record<string, string>>])[] = [
  ['ingestion', { LOG_LEVEL: 'warn' }],
  ['ingestion-2', { LOG_LEVEL: 'warn' }],
  ['data-plane', { CLICKHOUSE_MIGRATE: 'false', ASSAY_ROLE: 'query' }],
  ['data-plane-2', { CLICKHOUSE_MIGRATE: 'false' }],
  ['evaluator', { LOG_LEVEL: 'warn' }],
  ['control-plane', { LOG_LEVEL: 'warn' }],
];

describe(`old and new processes side by side under load (SEED=${seed})`, () => {
  it('lose no acknowledged request and duplicate no event while each is replaced', async () => {
    const engines = enginesFromEnvironment();
    const database = `test_upgrade_${randomUUID().slice(0, 8)}`;
    const stack = await startSplit(engines, {
      ingestions: 2,
      dataPlanes: 2,
      dataPlane: { CLICKHOUSE_DATABASE: database },
    });
    const reader = new Client(stack);
    const [project] = (await reader.call('GET', '/v1/projects')).json<{ id: string }[]>();
    const run = `upgrade-${seed}-${Date.now()}`;
    const history = new History(() => performance.now());
    const random = seeded(seed);
    const loadOn = (service: string) => {
      const client = new Client({ baseUrl: stack.urlOf(service), apiKey: stack.apiKey });
      return startLoad({ client, history, run, projectId: project!.id, random, clients: 2 });
    };
    const loads = ['data-plane', 'data-plane-2', 'ingestion-2'].map(loadOn);
    const progress = async () => {
      const targets = loads.map((load) => load.acknowledged + REQUESTS);
      await waitFor('every load makes progress', () => reached(loads, targets), { withinMs: WITHIN_MS });
    };
    try {
      for (const [service, settings] of UPGRADE) {
        await progress();
        expect([service, await stack.terminate(service)]).toEqual([service, 0]);
        await stack.start(service, settings);
      }
      await progress();
    } finally {
      await Promise.all(loads.map((load) => load.stop()));
    }
    const observed = await readBack(reader, run, WITHIN_MS);
    expect(judgeHistory(history.operations, observed, SERVER_FIELDS)).toEqual([]);
    expect(await rowsWithoutPayloadOfServer(engines.clickhouseUrl, database)).toEqual([]);
    expect(await stack.stop()).toBe(true);
  }, 900_000);
});

function reached(loads: readonly RunningLoad[], targets: readonly number[]): boolean {
  return loads.every((load, index) => load.acknowledged >= targets[index]!);
}
