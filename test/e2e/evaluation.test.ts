import { startStandalone } from '../harness/stack/start-standalone.js';
import { EVALUATION_SETTINGS, evaluationJourney } from './evaluation-journey.js';

describe('evaluation in the single process', () => {
  evaluationJourney(() => startStandalone(EVALUATION_SETTINGS), 'standalone');
});
