import { startStandalone } from '../harness/stack/start-standalone.js';
import { eventJourney } from './event-journey.js';

describe('the journey of an event through the single process', () => eventJourney(() => startStandalone()));
