import { startStandalone } from '../harness/stack/start-standalone.js';
import { describeNarrowUpdates } from './narrow-updates.js';

describeNarrowUpdates('on the standalone process', () => startStandalone({ LOG_LEVEL: 'error' }));
