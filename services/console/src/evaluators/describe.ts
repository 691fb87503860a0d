import type { Metric } from '../api/metrics.js';
import { formatScore } from '../format/number.js';
import { printName } from '../format/name.js';
import { kindOf } from './kinds.js';

export type Definition = Pick<
  Metric,
  | 'name'
  | 'type'
  | 'criteria'
  | 'description'
  | 'return_type'
  | 'direction'
  | 'enabled_in_prod'
  | 'needs_ground_truth'
  | 'sampling_percentage'
  | 'model_provider'
  | 'model_name'
  | 'model_parameters'
  | 'add_instructions'
  | 'scale'
  | 'threshold'
  | 'categories'
  | 'child_metrics'
  | 'filters'
>;

/** Which scores pass. */
export function thresholdText(threshold: Metric['threshold']): string {
  const { min, max, pass_when: when, passing_categories: categories } = threshold ?? {};
  const parts = [
    ...(min === undefined ? [] : [`≥ ${formatScore(min)}`]),
    ...(max === undefined ? [] : [`≤ ${formatScore(max)}`]),
    ...(when === undefined ? [] : [`= ${String(when)}`]),
    ...(categories === undefined ? [] : [categories.map(printName).join(', ')]),
  ];
  return parts.length === 0 ? 'every score' : parts.join(' · ');
}

/** Which new events it scores. */
export function arrivalText(metric: Definition): string {
  if (!kindOf(metric).isEvaluated) return 'in queues';
  if (!metric.enabled_in_prod) return 'off';
  const which = metric.filters.filterArray.length === 0 ? 'all' : 'that match';
  const share = metric.sampling_percentage;
  return share === 100 ? which : `${formatScore(share)} % of ${which === 'all' ? 'all' : 'those that match'}`;
}
