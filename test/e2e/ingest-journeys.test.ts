import { startStandalone } from '../harness/stack/start-standalone.js';
import { declareJourneys, INGEST_JOURNEYS } from './journeys.js';

declareJourneys(INGEST_JOURNEYS, 'on the standalone process', ({ settings, everywhere }) =>
  startStandalone({ ...everywhere, ...settings }),
);
