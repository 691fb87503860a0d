import { randomUUID } from 'node:crypto';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { rowsWithoutPayloadOfServer } from './rows-without-payload.js';
import { surviveKills, type Victim } from './survive-kills.js';

const seed = Number(process.env.SEED ?? Date.now() % 100_000);

describe(`a data plane that leaves and joins under load (SEED=${seed})`, () => {
  it('loses no acknowledged request, duplicates no event and restores no deleted one', async () => {
    const engines = enginesFromEnvironment();
    const database = `test_rebalances_${randomUUID().slice(0, 8)}`;
    const stack = await startSplit(engines, {
      dataPlanes: 2,
      dataPlane: { CLICKHOUSE_DATABASE: database },
    });
    const second: Victim = {
      name: 'data-plane-2',
      fault: 'stop',
      kill: async () => expect(await stack.terminate('data-plane-2')).toBe(0),
      restart: () => stack.start('data-plane-2'),
    };
    const report = await surviveKills(stack, {
      seed,
      // Each is two rebalances.
      kills: 3,
      requestsBetweenKills: [40, 120],
      acknowledged: 501,
      victims: [second],
    });
    expect(report.violations).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(500);
    const incomplete = await rowsWithoutPayloadOfServer(engines.clickhouseUrl, database);
    expect(incomplete).toEqual([]);
    expect(await stack.stop()).toBe(true);
  }, 1_200_000);
});
