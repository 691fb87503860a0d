import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { INGEST_JOURNEYS } from './journeys.js';

describe.each(INGEST_JOURNEYS)('$name on separate services', ({ declare, everywhere }) =>
  declare(() => startSplit(enginesFromEnvironment(), { everywhere })),
);
