import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { EVALUATION_SETTINGS, evaluationJourney } from './evaluation-journey.js';

describe('evaluation in a separate process', () => {
  evaluationJourney(
    () => startSplit(enginesFromEnvironment(), { evaluator: EVALUATION_SETTINGS }),
    'evaluator',
  );
});
