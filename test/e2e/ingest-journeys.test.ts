import { startStandalone } from '../harness/stack/start-standalone.js';
import { INGEST_JOURNEYS } from './journeys.js';

describe.each(INGEST_JOURNEYS)('$name on the standalone process', ({ declare, settings, everywhere }) =>
  declare(() => startStandalone({ ...everywhere, ...settings })),
);
