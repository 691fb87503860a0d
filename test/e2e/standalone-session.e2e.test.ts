import { startStandalone } from '../harness/stack/start-standalone.js';
import { sessionJourney } from './session-journey.js';

describe('whole sessions in the single process', () => sessionJourney(() => startStandalone()));
