import { startStandalone } from '../harness/stack/start-standalone.js';
import { traceSessionJourney } from './trace-session-journey.js';

describe('traces in pieces in the single process', () => traceSessionJourney(() => startStandalone()));
