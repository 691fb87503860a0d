import { finite, mean } from './aggregate.js';
import { exactProduct, exactQuotient, exactSum, rounded, type ExactSum } from './exact-sum.js';
import { hasScoreType } from './has-score-type.js';
import type { MetricRule } from './metric-rule.js';
import { scoreOfCategory } from './pass-rule.js';
import type { JsonObject, JsonValue } from '../json.js';
import { compositeFunction, type CompositeFunction } from '../resources/composite-function.js';

interface WeightedScore {
  readonly score: number;
  readonly weight: number;
}

/**
 * Computes a composite metric from the scores of its children, each of which may have several: they are averaged.
 * Children without a score are skipped. The aggregate function is named in `criteria`, by its letters alone; any
 * other text is the weighted average.
 * @param sources metrics of one event, or of all events of a session
 * @returns undefined when no child has a score, or the weights of an average sum to 0
 */
export function compositeScore(
  composite: MetricRule,
  sources: readonly JsonObject[],
  rules: ReadonlyMap<string, MetricRule>,
): number | boolean | undefined {
  const scores = (composite.child_metrics ?? []).flatMap(({ name, weight }) => {
    const found = sources.flatMap((metrics) => childScore(name, metrics, rules.get(name)) ?? []);
    return found.length === 0 ? [] : [{ score: mean(found), weight }];
  });
  if (scores.length === 0) return undefined;
  const name = compositeFunction(composite.criteria);
  const value = combine(name, scores);
  if (value === undefined || composite.return_type !== 'boolean') return value;
  return name === 'min' ? scores.every(({ score }) => score > 0) : value > 0;
}

/** Returns the child's score: a number, 1 or 0 for a boolean, or the score of a category. One of a wrong type is missing. */
function childScore(name: string, metrics: JsonObject, rule: MetricRule | undefined): number | null {
  const value: JsonValue | undefined = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  if (!hasScoreType(value, rule)) return null;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' ? scoreOfCategory(value, rule?.categories ?? null) : null;
}

function combine(name: CompositeFunction, scores: readonly WeightedScore[]): number | undefined {
  const values = scores.map(({ score }) => score);
  switch (name) {
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'highest':
      return highestTrue(scores);
    case 'sum':
      return finite(rounded(weightedSum(scores)));
    case 'average': {
      const weight = exactSum(scores.map((one) => one.weight));
      return rounded(weight) === 0 ? undefined : finite(exactQuotient(weightedSum(scores), weight));
    }
  }
}

function weightedSum(scores: readonly WeightedScore[]): ExactSum {
  return exactSum(scores.flatMap(({ score, weight }) => exactProduct(score, weight)));
}

/** The weight of the last true child before the first that is not, in ascending order of weight; 0 if the first is not. */
function highestTrue(scores: readonly WeightedScore[]): number {
  const ordered = [...scores].sort((a, b) => a.weight - b.weight);
  const firstFalse = ordered.findIndex(({ score }) => !(score > 0));
  return ordered[(firstFalse === -1 ? ordered.length : firstFalse) - 1]?.weight ?? 0;
}
