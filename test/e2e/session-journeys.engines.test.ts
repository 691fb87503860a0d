import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { KILL_JOURNEYS, SESSION_JOURNEYS } from './journeys.js';

describe.each([...SESSION_JOURNEYS, ...KILL_JOURNEYS])(
  '$name on separate services',
  ({ declare, everywhere }) => declare(() => startSplit(enginesFromEnvironment(), { everywhere })),
);
