import { aRule, anEvent, aSession, rulesOf, sessionsOf } from '../../test/experiments/run-fixture.js';
import type { JsonObject } from '../json.js';
import { randomIndexes } from './random-indexes.js';
import type { RunEvent } from './run-events.js';
import { scoreTrials } from './score-run.js';

describe('scores of trials', () => {
  it('are the same whether events share their metrics or have equal ones', () => {
    const seed = Date.now() % 1_000_000;
    const next = randomIndexes(seed, 1_000_000);
    const pick = <T>(values: readonly T[]) => values[next() % values.length]!;
    const metrics: JsonObject[] = [
      {},
      { score: 0.5 },
      { score: 1, exact: true },
      { grade: 'good' },
      { grade: 'none' },
    ];
    const events = Array.from({ length: 40 }, (_, session): RunEvent[] => [
      ...(next() % 2 === 0 ? [aSession(`s${session}`, { metrics: pick(metrics) })] : []),
      ...Array.from({ length: next() % 5 }, (_event, index) =>
        anEvent(`s${session}`, pick(metrics), {
          eventId: `s${session}-${index}`,
          eventName: pick(['answer', 'tool']),
          eventType: pick(['chain', 'tool']),
          datapointId: pick(['', 'd1', 'd2', `d${session}`]),
          isSelected: next() % 4 > 0,
          composites: pick([[], ['both']]),
        }),
      ),
    ]).flat();
    const categories = [
      { category: 'good', score: 1 },
      { category: 'bad', score: 0 },
    ];
    const rules = rulesOf([
      aRule('grade', { return_type: 'categorical', categories, threshold: { min: 0.5 } }),
      aRule('both', {
        type: 'COMPOSITE',
        child_metrics: ['score', 'exact'].map((name) => ({ name, weight: 1 })),
      }),
    ]);
    const own = events.map((event) => ({ ...event, metrics: structuredClone(event.metrics) }));
    expect({ seed, trials: withoutEvents(events) }).toEqual({ seed, trials: withoutEvents(own) });

    function withoutEvents(all: readonly RunEvent[]) {
      return scoreTrials(sessionsOf(all), rules).map(({ sessionId, datapointId, scores, passed }) => ({
        ...{ sessionId, datapointId, scores, passed },
      }));
    }
  });
});
