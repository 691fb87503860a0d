import {
  evaluationAfter,
  isFirstEvaluation,
  isRequested,
  keepsScore,
  keptEvaluation,
  pendingEvaluation,
  requestedEvaluation,
  type Evaluation,
} from './evaluation.js';

const metric = { id: 'm', version: 'v1', name: 'quality' };
const cause = { fingerprint: 'f', trigger: 1, decidedAt: 1 };
const waiting = pendingEvaluation(metric, cause);
const requested = requestedEvaluation(metric, cause);
const scored: Evaluation = { ...waiting, decision: 'scored', value: 1 };
const repeated = evaluationAfter(scored, waiting);
const kept = keptEvaluation({ ...scored, cost: 2 });

describe('an evaluation that waits', () => {
  test.each<[string, Evaluation | undefined, boolean]>([
    ['none', undefined, true],
    ['a score', scored, false],
    ['an error', { ...scored, decision: 'error' }, false],
    ['one that waits and is the first', waiting, true],
    ['one that waits and is not the first', repeated, false],
    ['one whose score a client has set', kept, true],
  ])('after %s knows whether it is the first', (_, last, expected) => {
    const next = [waiting, requested].map((one) => evaluationAfter(last, one));
    expect(next.map(isFirstEvaluation)).toEqual([expected, expected]);
    expect(next.map(isRequested)).toEqual([false, true]);
  });

  it('ends without a score, and with its cost, when a client has set the score', () => {
    expect(kept).toMatchObject({ decision: 'not_matching', value: null, cost: 2 });
    const event = (value: number | null) => ({ metrics: { quality: value } });
    expect([undefined, kept, scored].map((last) => keepsScore(last, event(0), 'quality'))).toEqual([
      ...[true, true, false],
    ]);
    expect(keepsScore(kept, event(null), 'quality')).toBe(false);
    expect(keepsScore(undefined, { metrics: {} }, 'constructor')).toBe(false);
  });
});
