import { randomInt } from 'node:crypto';
import { randomFrom } from '../../test/experiments/random-from.js';
import { aRule, anEvent, aSession, RUN_ID, rulesOf } from '../../test/experiments/run-fixture.js';
import { runSync } from '../../test/experiments/run-sync.js';
import type { JsonObject } from '../json.js';
import { compareRuns } from './compare-runs.js';
import { gate, type GateInput } from './gate.js';
import { runEvaluations, type DecidedEvents } from '../evaluators/decided-events.js';
import { pendingOf as pendingEvaluationsOf } from './run-evaluations.js';
import { sessionsOfRun, type RunEvent } from './run-events.js';

const NAMES = ['a', 'b', 'low', 'neutral'];
const RULES = rulesOf([
  aRule('a'),
  aRule('b', { threshold: { min: 0.4 } }),
  aRule('low', { direction: 'lower' }),
  aRule('neutral', { direction: 'none' }),
  aRule('both', {
    type: 'COMPOSITE',
    child_metrics: [
      { name: 'a', weight: 2 },
      { name: 'neutral', weight: 1 },
    ],
  }),
]);

interface Run {
  readonly events: readonly RunEvent[];
  readonly decided: readonly DecidedEvents[];
}

class RandomRuns {
  readonly random: () => number;
  constructor(readonly seed: number) {
    this.random = randomFrom(seed);
  }

  chance = (probability: number) => this.random() < probability;
  below = (limit: number) => Math.floor(this.random() * limit);

  /** Datapoints with one or two trials each; some end with an error, or lack scores. */
  run(trials: readonly number[], shift: number, isIncomplete: boolean): Run {
    const loses = () => isIncomplete && this.chance(0.05);
    const events = trials.flatMap((count, datapoint) =>
      Array.from({ length: count }, (_, trial) => {
        const id = `s${datapoint}-${trial}`;
        const fields = { datapointId: `d${datapoint}`, startTime: datapoint };
        const metrics: JsonObject = {};
        for (const name of NAMES)
          if (!loses()) metrics[name] = Math.round((this.random() * 0.4 + 0.3 + shift) * 100) / 100;
        const hasError = loses();
        return [
          aSession(id, { ...fields, hasError }),
          anEvent(id, hasError ? {} : metrics, { ...fields, composites: ['both'] }),
        ];
      }).flat(),
    );
    const decided = NAMES.flatMap((metricName): DecidedEvents[] => {
      if (!isIncomplete || !this.chance(0.1)) return [];
      const decision = this.chance(0.5) ? 'error' : 'pending';
      const event = events[this.below(events.length)];
      return event ? [{ metricName, decision, events: 1, eventIds: [event.eventId] }] : [];
    });
    return { events, decided };
  }

  /** The run without some scores, some sessions, or everything of some metrics. */
  without({ events, decided }: Run): Run {
    const names = NAMES.filter(() => this.chance(0.3));
    const kinds: (() => Run)[] = [
      () => ({
        decided,
        events: events.map((event) => {
          const kept = Object.entries(event.metrics).filter(
            ([name]) => !names.includes(name) || this.chance(0.8),
          );
          return { ...event, metrics: Object.fromEntries(kept) };
        }),
      }),
      () => {
        const ids = new Set(events.filter(() => this.chance(0.1)).map(({ sessionId }) => sessionId));
        return { decided, events: events.filter(({ sessionId }) => !ids.has(sessionId)) };
      },
      () => ({
        decided: decided.filter(({ metricName }) => !names.includes(metricName)),
        events: events.map((event) => ({
          ...event,
          metrics: Object.fromEntries(
            Object.entries(event.metrics).filter(([name]) => !names.includes(name)),
          ),
        })),
      }),
    ];
    return kinds[this.below(kinds.length)]!();
  }
}

function outcomeOf(old: Run, now: Run, input: Partial<GateInput>) {
  const sessions = ({ events }: Run) => sessionsOfRun(events, { runId: RUN_ID, sessionIds: [] });
  const evaluations = runEvaluations(now.decided);
  const { metrics, lost_metrics: lost } = runSync(
    compareRuns({
      oldRun: { sessions: sessions(old), rules: RULES },
      newRun: { sessions: sessions(now), rules: RULES, evaluations },
      aggregateFunction: 'average',
      isDirectedOnly: true,
      names: input.names,
    }),
  );
  const pendingOf = (name: string) => pendingEvaluationsOf(name, [evaluations], RULES);
  return gate({ metrics, lost, newStatus: 'completed', pendingOf, ...input }).outcome;
}

describe('removing scores, sessions or evaluators from the new run', () => {
  it('never turns a gate to pass', () => {
    const seed = randomInt(2 ** 31);
    const runs = new RandomRuns(seed);
    const seen = { pass: 0, fail: 0, undecided: 0 };
    for (let round = 0; round < 40; round++) {
      const trials = Array.from({ length: 10 + runs.below(4) }, () => 1 + runs.below(2));
      const old = runs.run(trials, 0, runs.chance(0.3));
      const now = runs.run(trials, (runs.random() - 0.5) * 0.4, runs.chance(0.5));
      const input: Partial<GateInput> = {
        ...(runs.chance(0.4) && { maxRegression: runs.random() * 0.2 }),
        ...(runs.chance(0.3) && { names: ['both'] }),
      };
      const before = outcomeOf(old, now, input);
      seen[before]++;
      if (before === 'pass') continue;
      for (let removal = 0; removal < 4; removal++) {
        const after = outcomeOf(old, runs.without(now), input);
        expect([{ seed, round, removal, before }, after]).not.toEqual([
          { seed, round, removal, before },
          'pass',
        ]);
      }
    }
    expect([{ seed }, seen.pass > 0, seen.fail > 0]).toEqual([{ seed }, true, true]);
  });
});
