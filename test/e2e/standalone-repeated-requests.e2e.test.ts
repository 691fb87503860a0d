import { startStandalone } from '../harness/stack/start-standalone.js';
import { repeatedRequestsJourney } from './repeated-requests-journey.js';

describe('requests that come again in the single process', () =>
  repeatedRequestsJourney(() => startStandalone()));
