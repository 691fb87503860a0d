import { aRule } from '../../test/experiments/run-fixture.js';
import type { JsonObject } from '../json.js';
import type { MetricRule } from './metric-rule.js';
import { compositeScore } from './composite.js';

const children = (...weights: number[]) =>
  weights.map((weight, index) => ({ name: ['a', 'b', 'c', 'd'][index] ?? '', weight }));

type Case = readonly [
  title: string,
  criteria: string,
  weights: number[],
  metrics: JsonObject,
  expected: number | boolean | undefined,
  fields?: Partial<MetricRule>,
];

const HIGHEST = 'hierarchical highest true';

const CASES: readonly Case[] = [
  ['weighted average', 'weighted average', [2, 1], { a: 4, b: 3 }, 11 / 3],
  ['any other text', 'whatever', [2, 1], { a: 4, b: 3 }, 11 / 3],
  ['weighted sum', 'Weighted_Sum', [2, 1], { a: 4, b: 3 }, 11],
  ['minimum', 'MINIMUM', [9, 1, 1], { a: 4, b: 3, c: 5 }, 3],
  ['maximum', 'max', [9, 1, 1], { a: 4, b: 3, c: 5 }, 5],
  ['highest true', 'hierarchical-highest-true', [1, 3, 2, 4], { a: true, b: false, c: true, d: true }, 2],
  ['highest true, all', 'Hierarchical Highest True', [1, 2], { a: 1, b: 0.2 }, 2],
  ['highest true, none', 'hierarchical highest true', [1, 2], { a: 0, b: 1 }, 0],
  ['a missing child', 'weighted average', [2, 1], { b: 3, a_explanation: 9 }, 3],
  ['no child', 'weighted average', [2, 1], { other: 3 }, undefined],
  ['text without categories', 'weighted average', [2, 1], { a: 'good', b: 3 }, 3],
  ['weights that sum to 0', 'weighted average', [1, -1], { a: 4, b: 3 }, undefined],
  ['boolean minimum', 'min', [1, 1], { a: true, b: false }, false, { return_type: 'boolean' }],
  ['boolean maximum', 'max', [1, 1], { a: true, b: false }, true, { return_type: 'boolean' }],
  ['boolean highest true', HIGHEST, [1, 2], { a: true, b: false }, true, { return_type: 'boolean' }],
  ['boolean highest true, none', HIGHEST, [1, 2], { a: 0, b: true }, false, { return_type: 'boolean' }],
];

describe('compositeScore', () => {
  for (const [title, criteria, weights, metrics, expected, fields] of CASES) {
    it(`computes: ${title}`, () => {
      const composite = aRule('all', {
        type: 'COMPOSITE',
        criteria,
        child_metrics: children(...weights),
        ...fields,
      });
      expect(compositeScore(composite, [metrics], new Map())).toEqual(expected);
    });
  }

  it('takes the score of a category, and ignores one without a score', () => {
    const composite = aRule('all', { type: 'COMPOSITE', child_metrics: children(1, 1) });
    const categories = [
      { category: 'good', score: 5 },
      { category: 'odd', score: null },
    ];
    const rules = new Map([['a', aRule('a', { return_type: 'categorical', categories })]]);
    expect(compositeScore(composite, [{ a: 'good', b: 1 }], rules)).toBe(3);
    expect(compositeScore(composite, [{ a: 'odd', b: 1 }], rules)).toBe(1);
  });

  it('averages the scores of a child over the events of a session', () => {
    const composite = aRule('all', {
      type: 'COMPOSITE',
      criteria: 'weighted sum',
      child_metrics: children(1, 10),
    });
    expect(compositeScore(composite, [{ a: 1 }, { a: 3, b: 1 }, {}], new Map())).toBe(12);
  });

  it('skips scores of people that do not have the type of their metric', () => {
    const composite = aRule('all', {
      type: 'COMPOSITE',
      criteria: 'average',
      child_metrics: children(1, 1, 1),
    });
    const rules = [
      aRule('a', { type: 'HUMAN' }),
      aRule('b', { type: 'HUMAN', return_type: 'boolean' }),
      aRule('c', { type: 'HUMAN', return_type: 'categorical', categories: [{ category: 'kind', score: 3 }] }),
    ];
    const scored = (metrics: JsonObject) =>
      compositeScore(composite, [metrics], new Map(rules.map((rule) => [rule.name, rule])));
    expect(scored({ a: 4, b: true, c: 'kind' })).toBe(8 / 3);
    expect(scored({ a: true, b: 9, c: 'kind' })).toBe(3);
    expect(scored({ a: '4', b: 'true', c: 7 })).toBeUndefined();
  });
});
