import { startStandalone } from '../harness/stack/start-standalone.js';
import { servicesOf, surviveKills } from './survive-kills.js';

const seed = Number(process.env.SEED ?? Date.now() % 100_000);

describe(`the single process, killed under load (SEED=${seed})`, () => {
  it('loses nothing that it acknowledged, shows nothing twice, and keeps deletes', async () => {
    const stack = await startStandalone();
    const report = await surviveKills(stack, {
      seed,
      kills: 20,
      pauseMs: [150, 900],
      victims: servicesOf(stack),
    });
    expect(report.violations).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(500);
    expect(await stack.stop()).toBe(true);
  }, 300_000);
});
