import { collectorBinary } from './packages/client-packages.js';
import { playCollector } from './scene/play.js';
import type { CollectorOutcome } from './scene/collector-scene.js';

describe('an OpenTelemetry Collector, while Assay is killed and restarted', () => {
  let outcome: CollectorOutcome;
  beforeAll(async () => {
    outcome = await playCollector({ binary: await collectorBinary(), spans: 1000 });
  }, 900_000);

  it('delivers every span once', () => {
    expect(outcome.sent.length).toBeGreaterThanOrEqual(1000);
    expect([...outcome.kept].sort()).toEqual([...outcome.sent].sort());
  });

  it('finds after the restart every span stored before the kill', () => {
    expect(outcome.keptBeforeKill.length).toBeGreaterThan(0);
    expect(outcome.keptBeforeKill.length).toBeLessThan(outcome.sent.length);
    expect(outcome.keptBeforeKill.filter((id) => !outcome.keptAfterStart.includes(id))).toEqual([]);
  });
});
