import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { datapointBatchJourney } from './datapoint-batch-journey.js';

describe('events become datapoints between separate services', () => datapointBatchJourney(() => startSplit(enginesFromEnvironment())));
