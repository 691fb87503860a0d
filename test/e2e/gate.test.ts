import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { EVALUATION_SETTINGS } from './evaluation-journey.js';
import { gateJourney } from './gate-journey.js';

describe('a gate in the single process', () => {
  gateJourney(onStack(() => startStandalone(EVALUATION_SETTINGS)));
});
