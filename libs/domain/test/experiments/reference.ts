import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AggregateFunction } from '../../src/experiments/aggregate.js';

/** Results of numpy, scipy and statsmodels; see `generate_reference.py`. */
export interface Reference {
  readonly seed: number;
  readonly resamples: number;
  readonly indexes: { readonly length: number; readonly first: readonly number[] };
  readonly aggregates: readonly {
    readonly name: string;
    readonly values: readonly number[];
    readonly expected: Readonly<Record<AggregateFunction, number>>;
  }[];
  readonly bootstrap: readonly {
    readonly name: string;
    readonly differences: readonly number[];
    readonly mean: number;
    readonly effect: number;
    /** On the same resamples as the implementation. */
    readonly bca: { readonly low: number; readonly high: number; readonly p: number };
    /** On 200,000 resamples of scipy. */
    readonly scipy: { readonly low: number; readonly high: number };
  }[];
  readonly mcnemar: readonly { readonly gained: number; readonly lost: number; readonly p: number }[];
  readonly holm: readonly { readonly p: readonly number[]; readonly adjusted: readonly number[] }[];
  readonly normal: Readonly<Record<'cdf' | 'quantile', readonly (readonly [number, number])[]>>;
}

export const REFERENCE = JSON.parse(readFileSync(join(__dirname, 'reference.json'), 'utf8')) as Reference;

/** Checks that a number agrees with the reference to twelve digits. */
export function expectClose(actual: number, expected: number, tolerance = 1e-12): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
}
