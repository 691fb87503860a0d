import { randomInt } from 'node:crypto';
import { classify, type Label } from './classification.js';
import type { RunRules } from './metric-rule.js';
import type { RunEvent, RunSession } from './run-events.js';

const RULES: RunRules = { metrics: new Map(), passingRanges: new Map() };

interface Row {
  readonly value?: Label | number;
  readonly truth?: Label;
  /** Whether the truth is that of the session. */
  readonly isOfSession?: boolean;
}

/** A session for each row, with one event that has the value of the metric `m`. */
function sent(rows: readonly Row[]) {
  const truths = new Map<string, Map<string, Label>>();
  const sessions = rows.map(({ value, truth, isOfSession }, index): RunSession => {
    const [sessionId, eventId] = [`s${index}`, `e${index}`];
    const shared = { sessionId, startTime: index, runId: 'r', datapointId: `d${index}`, composites: [] };
    const event: RunEvent = {
      ...{ ...shared, eventId, eventName: 'answer', eventType: 'chain', isSelected: true },
      metrics: value === undefined ? {} : { m: value, m_explanation: 'why' },
    };
    if (truth !== undefined) truths.set(isOfSession ? sessionId : eventId, new Map([['m', truth]]));
    return { sessionId, datapointId: `d${index}`, events: [event] };
  });
  return classify(sessions, RULES, truths);
}

describe('metrics against the ground truth', () => {
  it('have precision, recall and F1 of each label, and their means', () => {
    const pairs = [
      ['a', 'a'],
      ['a', 'a'],
      ['a', 'b'],
      ['b', 'b'],
      ['c', 'b'],
    ] as const;
    expect(sent(pairs.map(([value, truth]) => ({ value, truth })))).toEqual([
      {
        ...{ metric_name: 'm', pairs: 5, without_ground_truth: 0, without_value: 0, accuracy: 0.6 },
        macro: {
          precision: expect.closeTo((2 / 3 + 1 + 0) / 3, 15) as number,
          recall: expect.closeTo((1 + 1 / 3 + 0) / 3, 15) as number,
          f1: expect.closeTo((4 / 5 + 2 / 4 + 0) / 3, 15) as number,
        },
        labels: [
          { label: 'b', support: 3, predicted: 1, true_positives: 1, precision: 1, recall: 1 / 3, f1: 0.5 },
          { label: 'a', support: 2, predicted: 3, true_positives: 2, precision: 2 / 3, recall: 1, f1: 0.8 },
          { label: 'c', support: 0, predicted: 1, true_positives: 0, precision: 0, recall: null, f1: 0 },
        ],
      },
    ]);
  });

  it('take the ground truth of the event, else that of its session', () => {
    const [found] = sent([
      { value: true, truth: true, isOfSession: true },
      { value: true, truth: false },
    ]);
    expect(found).toMatchObject({ pairs: 2, accuracy: 0.5, labels: [{ label: 'false' }, { label: 'true' }] });
  });

  it('count what lacks a ground truth for nothing, and what lacks a value as wrong', () => {
    const whole = { value: true, truth: true };
    const [complete] = sent([whole, whole]);
    const [lacking] = sent([whole, { truth: true }, { value: 1, truth: true }, { value: false }]);
    expect(complete).toMatchObject({ accuracy: 1, macro: { recall: 1, f1: 1 } });
    expect(lacking).toMatchObject({
      ...{ pairs: 1, without_ground_truth: 1, without_value: 2, accuracy: 1 / 3 },
      labels: [{ label: 'true', support: 3, predicted: 1, precision: 1, recall: 1 / 3, f1: 0.5 }],
    });
  });

  it.each([
    ['no ground truth', [{ value: true }]],
    ['numbers only', [{ value: 1, truth: true }]],
    ['no events', []],
  ])('are left out with %s', (_, rows: Row[]) => expect(sent(rows)).toEqual([]));

  it('agree with the definitions, counted label by label, on random labels', () => {
    const seed = randomInt(2 ** 31);
    let state = seed;
    const next = (limit: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * limit);
    };
    const rows = Array.from({ length: 300 }, () => ({ value: `l${next(5)}`, truth: `l${next(6)}` }));
    const [found] = sent(rows);
    for (const { label, precision, recall, f1 } of found?.labels ?? []) {
      const has = (side: 'value' | 'truth') => rows.filter((row) => row[side] === label).length;
      const both = rows.filter(({ value, truth }) => value === label && truth === label).length;
      const expected = {
        precision: has('value') === 0 ? null : both / has('value'),
        recall: has('truth') === 0 ? null : both / has('truth'),
      };
      expect({ seed, label, precision, recall }).toEqual({ seed, label, ...expected });
      const [p, r] = [expected.precision ?? 0, expected.recall ?? 0];
      expect(f1).toBeCloseTo(p + r === 0 ? 0 : (2 * p * r) / (p + r), 12);
    }
    expect([seed, found?.labels.length]).toEqual([seed, 6]);
  });
});
