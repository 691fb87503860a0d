import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { olderClientsJourney } from './older-clients-journey.js';

describe('the calls of older clients through separate services on Kafka, ClickHouse and MongoDB', () =>
  olderClientsJourney(() => startSplit(enginesFromEnvironment())));
