import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { traceSessionJourney } from './trace-session-journey.js';

describe('traces in pieces through separate services on Kafka, ClickHouse and MongoDB', () =>
  traceSessionJourney(() => startSplit(enginesFromEnvironment())));
