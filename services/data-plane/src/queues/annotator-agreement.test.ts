import type { JsonObject, JsonValue, ReturnType } from '@assay/domain';
import { runSync } from '@assay/runtime';
import { annotatorAgreementSteps, type HumanMetrics } from './annotator-agreement.js';

const metricsOf = (names: string[], return_type: ReturnType = 'float'): HumanMetrics =>
  new Map(names.map((name) => [name, { type: 'HUMAN', return_type }]));
const statisticsOf = (feedbacks: JsonObject[], names: string[]) =>
  runSync(annotatorAgreementSteps(feedbacks, metricsOf(names)));

describe('the agreement of annotators', () => {
  it('ignores notes, explanations, cleared values and metrics that people do not score', () => {
    const feedback: JsonObject = {
      ground_truth: 1,
      'tone@anna': 1,
      'tone@bert': 1,
      'tone@carl': null,
      'tone_explanation@anna': 'x',
      'q1@anna': { comment: 'x', reason: null },
      'code@anna': 1,
      'tone@dora.d': 1,
    };
    expect(statisticsOf([feedback, {}], ['tone'])).toEqual([
      {
        metric: 'tone',
        annotators: [
          { annotator: 'anna', events: 1 },
          { annotator: 'bert', events: 1 },
        ],
        events: 1,
        // Chance alone agrees: there is one label.
        fleiss_kappa: null,
        pairs: [{ annotators: ['anna', 'bert'], n: 1, accuracy: 1, kappa: null }],
      },
    ]);
  });

  test.each<[ReturnType, JsonValue, JsonValue[]]>([
    ['float', 1, ['1', true, ['x']]],
    ['boolean', true, ['true', 1]],
    ['categorical', 'good', [1, true]],
    ['string', 'good', [1, false]],
  ])('treats values that are no %s as missing', (return_type, score, wrong) => {
    const feedbacks = wrong.map((value): JsonObject => ({ 'tone@anna': score, 'tone@bert': value }));
    const steps = annotatorAgreementSteps(feedbacks, metricsOf(['tone'], return_type));
    expect(runSync(steps)).toMatchObject([
      { annotators: [{ annotator: 'anna', events: wrong.length }], events: 0, pairs: [] },
    ]);
  });

  it('compares at most 10 annotators of at most 50 metrics', () => {
    const names = Array.from({ length: 60 }, (_, n) => `m${String(n).padStart(2, '0')}`);
    const values = names.flatMap((name) =>
      Array.from({ length: 12 }, (_, n) => [`${name}@a${String(n).padStart(2, '0')}`, n % 2] as const),
    );
    const more: JsonObject = { 'm00@a11': 1 };
    const statistics = statisticsOf([Object.fromEntries(values), more], names);
    expect(statistics.map(({ metric }) => metric)).toEqual(names.slice(0, 50));
    expect(statistics[0]?.annotators.map(({ annotator }) => annotator)).toEqual([
      'a11',
      ...Array.from({ length: 9 }, (_, n) => `a0${n}`),
    ]);
    expect(statistics[0]?.pairs).toHaveLength(45);
  });
});
