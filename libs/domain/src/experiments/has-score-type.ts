import type { JsonValue } from '../json.js';
import { traitsOf } from '../resources/metric-kinds.js';
import type { MetricRule } from './metric-rule.js';

/**
 * Returns whether a value on an event counts as a score of its metric. Scores of people also come through updates of
 * events, which are not checked against the metric: a number counts only for a metric of numbers, a boolean only for one of
 * booleans, a text only for one of texts or categories. Scores of other metrics, and of clients (no rule), always count.
 */
export function hasScoreType(
  value: JsonValue | undefined,
  rule: Pick<MetricRule, 'type' | 'return_type'> | undefined,
): boolean {
  if (rule === undefined || traitsOf(rule).isEvaluated) return true;
  switch (rule.return_type) {
    case 'float':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
    case 'categorical':
      return typeof value === 'string';
  }
}
