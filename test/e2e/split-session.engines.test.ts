import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { sessionJourney } from './session-journey.js';

describe('whole sessions through separate services on Kafka, ClickHouse and MongoDB', () =>
  sessionJourney(() => startSplit(enginesFromEnvironment())));
