import { startStandalone } from '../harness/stack/start-standalone.js';
import { olderClientsJourney } from './older-clients-journey.js';

describe('the calls of older clients in the single process', () =>
  olderClientsJourney(() => startStandalone()));
