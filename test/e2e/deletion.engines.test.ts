import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { deletionJourney } from './deletion-journey.js';

describe('deletions by filters on separate services', () =>
  deletionJourney(() => startSplit(enginesFromEnvironment()), 'data-plane'));
