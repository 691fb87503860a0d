import { startStandalone } from '../harness/stack/start-standalone.js';
import { datapointBatchJourney } from './datapoint-batch-journey.js';

describe('events become datapoints in the single process', () =>
  datapointBatchJourney(() => startStandalone(), 10));
