import { startStandalone } from '../harness/stack/start-standalone.js';
import { SESSION_JOURNEYS } from './journeys.js';

describe.each(SESSION_JOURNEYS)('$name on the standalone process', ({ declare, settings, everywhere }) =>
  declare(() => startStandalone({ ...everywhere, ...settings })),
);
