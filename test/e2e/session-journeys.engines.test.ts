import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { SESSION_JOURNEYS } from './journeys.js';

describe.each(SESSION_JOURNEYS)('$name on separate services', ({ declare, everywhere }) =>
  declare(() => startSplit(enginesFromEnvironment(), { everywhere })),
);
