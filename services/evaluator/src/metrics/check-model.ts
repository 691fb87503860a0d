import type { MetricDefinition } from '@assay/domain';
import { validationError } from '@assay/errors';

/**
 * Checks that a metric of a request which a model evaluates names the model.
 * @throws AppError `VALIDATION_ERROR`
 */
export function checkModel({ type, model_provider: provider, model_name: name }: MetricDefinition): void {
  if (type !== 'LLM') return;
  if (provider === null) throw validationError('metric.model_provider is required for type LLM');
  if (name === null) throw validationError('metric.model_name is required for type LLM');
}
