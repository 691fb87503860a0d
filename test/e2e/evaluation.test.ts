import { startStandalone } from '../harness/stack/start-standalone.js';
import { EVALUATION_SETTINGS, evaluationJourney } from './evaluation-journey.js';
import { exactIntegerMetricsJourney } from './exact-integer-metrics-journey.js';
import { judgeJourney, onFakeModel } from './judge-journey.js';
import { killedJudgeJourney } from './killed-judge-journey.js';
import { loggedKeyJourney } from './logged-key-journey.js';
import { quietSessionJourney } from './quiet-session-journey.js';
import { runMetricJourney } from './run-metric-journey.js';
import { slowJudgeJourney } from './slow-judge-journey.js';
import { tryMetricJourney } from './try-metric-journey.js';

describe('evaluation in the single process', () => {
  const model = onFakeModel();
  const started = evaluationJourney(
    () => startStandalone({ ...EVALUATION_SETTINGS, ...model.environment() }),
    'standalone',
  );
  judgeJourney(started, model, 'standalone');
  killedJudgeJourney(started, model, 'standalone', ['without a response', 'with responses on the way']);
  runMetricJourney(started, model);
  tryMetricJourney(started, model);
  quietSessionJourney(started, 'standalone');
  exactIntegerMetricsJourney(started, model);
  loggedKeyJourney(started, model);
  // The last one: thousands of evaluations wait at its end.
  slowJudgeJourney(started, model, 3_000);
});
