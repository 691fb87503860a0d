import { aRule, compare, rulesOf, scored } from '../../test/experiments/run-fixture.js';
import type { Direction } from '../resources/metric.js';
import { gate, type GateInput } from './gate.js';

const OLD = [0.5, 0.6, 0.4, 0.7, 0.5, 0.3, 0.6, 0.5, 0.4, 0.8, 0.5, 0.6];
const changed = (by: number) => OLD.map((value, index) => value + by + (index % 2) / 100);

interface GateCase extends Partial<GateInput> {
  readonly change: number;
  readonly direction?: Direction;
}

function decide({ change, direction = 'higher', ...input }: GateCase) {
  const rules = rulesOf([aRule('score', { direction })]);
  const { names, minPairs } = input;
  const { metrics, lost_metrics: lost } = compare(scored(OLD), scored(changed(change)), {
    ...{ rules, names, minPairs, isDirectedOnly: true },
  });
  return gate({ metrics, lost, newStatus: 'completed', ...input });
}

describe('gate', () => {
  it.each<readonly [GateCase, string, string]>([
    [{ change: 0.1 }, 'pass', 'no regression is shown'],
    [{ change: -0.1 }, 'fail', 'the new run is worse'],
    [{ change: 0.1, direction: 'lower' }, 'fail', 'the new run is worse'],
    [{ change: -0.1, direction: 'lower' }, 'pass', 'no regression is shown'],
    [{ change: -0.1, direction: 'none' }, 'undecided', 'the runs have no metric with a direction in common'],
    [{ change: -0.1, maxRegression: 0.2 }, 'pass', 'the loss is within max_regression'],
    [{ change: -0.1, maxRegression: 0.05 }, 'fail', 'the loss exceeds max_regression'],
    [{ change: -0.1, maxRegression: 0.095 }, 'undecided', 'the loss may exceed max_regression'],
    [{ change: 0.1, maxRegression: 0 }, 'pass', 'the loss is within max_regression'],
    [{ change: 0.1, minPairs: 13 }, 'undecided', 'fewer than 13 datapoints have a score in both runs'],
    [{ change: 0.1, names: ['score'] }, 'pass', 'no regression is shown'],
    [
      { change: 0.1, names: ['other'] },
      'undecided',
      'the old run has no scores of the metric, or the metric has no direction',
    ],
    [{ change: 0.1, newStatus: 'failed' }, 'fail', 'the status of the run is failed'],
  ])('decides %j: %s', (input, outcome, reason) => {
    const result = decide(input);
    expect(result.outcome).toBe(outcome);
    expect(result.reasons.map((one) => one.reason)).toContain(reason);
  });

  it('reports the loss in the direction of the metric, with its interval', () => {
    const [reason] = decide({ change: -0.1 }).reasons;
    expect(reason).toMatchObject({ metric_name: 'score', event_name: 'answer', pairs: 12 });
    expect(reason?.loss).toBeCloseTo(0.095, 12);
    expect(reason?.loss_interval?.low).toBeLessThan(0.095);
    expect(reason?.loss_interval?.high).toBeGreaterThan(0.095);
  });
});
