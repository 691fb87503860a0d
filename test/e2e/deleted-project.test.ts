import { startStandalone } from '../harness/stack/start-standalone.js';
import { deletedProjectJourney, FREQUENT_CHECKS } from './deleted-project-journey.js';

describe('a deleted project in the standalone process', () =>
  deletedProjectJourney(() => startStandalone(FREQUENT_CHECKS), 'standalone'));
