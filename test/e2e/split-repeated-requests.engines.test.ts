import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { repeatedRequestsJourney } from './repeated-requests-journey.js';

describe('requests that come again through separate services on Kafka, ClickHouse and MongoDB', () =>
  repeatedRequestsJourney(() => startSplit(enginesFromEnvironment())));
