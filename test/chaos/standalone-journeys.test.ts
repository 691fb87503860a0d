import { KILL_JOURNEYS } from '../e2e/journeys.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

describe.each(KILL_JOURNEYS)('$name on the standalone process', ({ declare, settings, everywhere }) =>
  declare(() => startStandalone({ ...everywhere, ...settings })),
);
