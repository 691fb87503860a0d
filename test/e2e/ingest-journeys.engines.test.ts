import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { declareJourneys, INGEST_JOURNEYS } from './journeys.js';

declareJourneys(INGEST_JOURNEYS, 'on separate services', ({ everywhere }) =>
  startSplit(enginesFromEnvironment(), { everywhere }),
);
