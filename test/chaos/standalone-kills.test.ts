import { Client } from '../harness/stack/client.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { rowsWithoutPayloadOfStandalone } from './rows-without-payload.js';
import { servicesOf, surviveKills } from './survive-kills.js';

const seed = Number(process.env.SEED ?? Date.now() % 100_000);

describe(`the standalone process, killed under load (SEED=${seed})`, () => {
  it('loses no acknowledged request, duplicates no event and restores no deleted one', async () => {
    const stack = await startStandalone();
    const report = await surviveKills(stack, {
      seed,
      kills: 20,
      requestsBetweenKills: [5, 65],
      acknowledged: 501,
      victims: servicesOf(stack),
    });
    expect(report.violations).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(500);
    expect(await rowsWithoutPayloadOfStandalone(stack)).toEqual([]);
    await stack.start('standalone');
    expect((await new Client(stack).search({ limit: 1 })).events).toHaveLength(1);
    expect(await stack.stop()).toBe(true);
  }, 900_000);
});
