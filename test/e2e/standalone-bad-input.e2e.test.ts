import { startStandalone } from '../harness/stack/start-standalone.js';
import { badInputJourney } from './bad-input-journey.js';

describe('bad input to the single process', () => badInputJourney(() => startStandalone()));
