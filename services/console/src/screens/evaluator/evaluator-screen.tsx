import { useParams } from '@tanstack/react-router';
import { MetricPage } from './metric-page.js';
import { NewMetricPage } from './new-metric-page.js';
import '../../evaluators/evaluators.css';

/** One metric, or a new one. */
export function EvaluatorScreen() {
  const { metric } = useParams({ from: '/p/$project/evaluators/$metric' });
  return metric === 'new' ? <NewMetricPage /> : <MetricPage key={metric} />;
}
