import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { datapointBatchJourney } from './datapoint-batch-journey.js';

// The server behind MongoDB's protocol looks ids up one by one, a few milliseconds each.
describe('events become datapoints between separate services', () =>
  datapointBatchJourney(() => startSplit(enginesFromEnvironment()), 2));
