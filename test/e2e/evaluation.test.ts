import { startStandalone } from '../harness/stack/start-standalone.js';
import { evaluationJourney } from './evaluation-journey.js';

describe('evaluation in the single process', () => {
  // On a busy machine a process that does little can take longer than the default limit.
  evaluationJourney(() => startStandalone({ PYTHON_METRIC_TIMEOUT_MS: '2000' }));
});
