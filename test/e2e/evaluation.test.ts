import { startStandalone } from '../harness/stack/start-standalone.js';
import { evaluationJourney } from './evaluation-journey.js';

describe('evaluation in the single process', () => evaluationJourney(() => startStandalone()));
