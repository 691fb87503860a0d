import { startStandalone } from '../harness/stack/start-standalone.js';
import { declareJourneys, SESSION_JOURNEYS } from './journeys.js';

declareJourneys(SESSION_JOURNEYS, 'on the standalone process', ({ settings, everywhere }) =>
  startStandalone({ ...everywhere, ...settings }),
);
