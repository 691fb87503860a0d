import { startStandalone } from '../harness/stack/start-standalone.js';
import { deletionJourney } from './deletion-journey.js';

describe('deletions by filters on the standalone process', () =>
  deletionJourney(() => startStandalone({}), 'standalone'));
