import type { Metric } from '../api/metrics.js';
import { formatScore } from '../format/number.js';
import { printName } from '../format/name.js';

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

/** What each type is, as people say it. */
export const TYPE_NAMES: Readonly<Record<Metric['type'], string>> = {
  PYTHON: 'Python',
  LLM: 'judge',
  HUMAN: 'people',
  COMPOSITE: 'composite',
};

/** Whether evaluators score by it; otherwise people do. */
export const isEvaluated = ({ type }: Pick<Metric, 'type'>) => type !== 'HUMAN';

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
  if (!isEvaluated(metric)) return 'in queues';
  if (!metric.enabled_in_prod) return 'off';
  const which = metric.filters.filterArray.length === 0 ? 'all' : 'that match';
  const share = metric.sampling_percentage;
  return share === 100 ? which : `${formatScore(share)} % of ${which === 'all' ? 'all' : 'those that match'}`;
}
