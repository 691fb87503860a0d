import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { badInputJourney } from './bad-input-journey.js';

describe('bad input to the separate services', () =>
  badInputJourney(() => startSplit(enginesFromEnvironment())));
