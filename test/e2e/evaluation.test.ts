import { startStandalone } from '../harness/stack/start-standalone.js';
import { evaluationJourney } from './evaluation-journey.js';
import { judgeJourney, onFakeModel } from './judge-journey.js';
import { runMetricJourney } from './run-metric-journey.js';

describe('evaluation in the single process', () => {
  const model = onFakeModel();
  // On a busy machine a process that does little can take longer than the default limit.
  const started = evaluationJourney(() =>
    startStandalone({ PYTHON_METRIC_TIMEOUT_MS: '2000', ...model.environment() }),
  );
  judgeJourney(started, model);
  runMetricJourney(started, model);
});
