import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { eventJourney } from './event-journey.js';

describe('the journey of an event through separate services on Kafka, ClickHouse and MongoDB', () =>
  eventJourney(() => startSplit(enginesFromEnvironment())));
