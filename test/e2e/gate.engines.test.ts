import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, randomName, startSplit } from '../harness/stack/start-split.js';
import { EVALUATION_SETTINGS } from './evaluation-journey.js';
import { gateJourney } from './gate-journey.js';

describe('a gate on split services', () => {
  const started = onStack(() =>
    startSplit(enginesFromEnvironment(), {
      name: randomName(),
      evaluators: 1,
      evaluator: EVALUATION_SETTINGS,
    }),
  );
  gateJourney(started, 'evaluator');
});
