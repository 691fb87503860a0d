import type { Category, Threshold } from '../resources/metric.js';
import { passes } from './pass-rule.js';

type Case = readonly [
  value: number | boolean | string,
  threshold: Threshold | undefined,
  passed: boolean,
  categories?: readonly Category[],
];

const CATEGORIES: readonly Category[] = [
  { category: 'good', score: 1 },
  { category: 'bad', score: 0 },
  { category: 'unrated', score: null },
];

const CASES: readonly Case[] = [
  [0.5, undefined, true],
  [false, undefined, true],
  ['anything', undefined, true],
  [0.5, { min: 0.5 }, true],
  [0.49, { min: 0.5 }, false],
  [0.5, { max: 0.5 }, true],
  [0.51, { max: 0.5 }, false],
  [0.7, { min: 0.5, max: 0.8 }, true],
  [0.9, { min: 0.5, max: 0.8 }, false],
  [-1, { min: -1, max: -1 }, true],
  [3, { pass_when: 3 }, true],
  [2, { pass_when: 3 }, false],
  [1, { pass_when: true }, true],
  [0.5, { pass_when: true }, false],
  [true, { pass_when: true }, true],
  [false, { pass_when: true }, false],
  [false, { pass_when: false }, true],
  [true, { pass_when: false }, false],
  [true, { min: 1 }, true],
  [false, { min: 1 }, false],
  [false, { max: 0 }, true],
  [true, { pass_when: 1 }, true],
  [true, {}, true],
  ['good', { passing_categories: ['good'] }, true],
  ['bad', { passing_categories: ['good'] }, false],
  ['good', { passing_categories: [] }, false],
  ['good', { min: 1 }, true, CATEGORIES],
  ['bad', { min: 1 }, false, CATEGORIES],
  ['bad', { passing_categories: ['bad'], min: 1 }, true, CATEGORIES],
  ['unrated', { min: 1 }, true, CATEGORIES],
  ['unknown', { min: 1 }, true, CATEGORIES],
  ['text', { min: 1 }, true],
];

describe('passes', () => {
  for (const [value, threshold, passed, categories] of CASES) {
    it(`judges ${JSON.stringify([value, threshold])} as ${passed}`, () => {
      expect(passes(value, threshold, categories ?? null)).toBe(passed);
    });
  }
});
