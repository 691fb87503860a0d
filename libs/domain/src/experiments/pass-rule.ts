import { isAtLeast, isAtMost, isNear } from './bound-tolerance.js';
import type { Category, Threshold } from '../resources/metric.js';

/** Returns whether a score satisfies a threshold, within the tolerance of bounds. Without a threshold every score passes. */
export function passes(
  value: number | boolean | string,
  threshold: Threshold | undefined,
  categories: readonly Category[] | null = null,
): boolean {
  if (threshold === undefined) return true;
  if (typeof value === 'string') return categoryPasses(value, threshold, categories);
  const { pass_when: expected } = threshold;
  if (typeof value === 'boolean') {
    if (typeof expected === 'boolean') return value === expected;
    return numberPasses(Number(value), threshold);
  }
  return numberPasses(value, threshold);
}

function numberPasses(value: number, { min, max, pass_when: expected }: Threshold): boolean {
  if (expected !== undefined && !isNear(value, Number(expected))) return false;
  return isWithin(value, { min, max });
}

/** A list of passing categories decides alone; otherwise the score of the category is compared with the bounds. */
function categoryPasses(
  value: string,
  threshold: Threshold,
  categories: readonly Category[] | null,
): boolean {
  if (threshold.passing_categories !== undefined) return threshold.passing_categories.includes(value);
  const score = scoreOfCategory(value, categories);
  return score === null || isWithin(score, threshold);
}

/** Returns the score of a category; null when the category is unknown or has none. */
export function scoreOfCategory(value: string, categories: readonly Category[] | null): number | null {
  return categories?.find(({ category }) => category === value)?.score ?? null;
}

function isWithin(value: number, { min, max }: Pick<Threshold, 'min' | 'max'>): boolean {
  return (min === undefined || isAtLeast(value, min)) && (max === undefined || isAtMost(value, max));
}
