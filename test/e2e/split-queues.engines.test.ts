import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { queueJourney } from './queue-journey.js';

describe('an event on its way into queues, between separate services', () =>
  queueJourney(() => startSplit(enginesFromEnvironment())));
