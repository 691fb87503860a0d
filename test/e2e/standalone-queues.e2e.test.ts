import { startStandalone } from '../harness/stack/start-standalone.js';
import { queueJourney } from './queue-journey.js';

describe('an event on its way into queues, in the single process with redaction', () =>
  queueJourney(() => startStandalone({ REDACT_VALUES: 'true' })));
