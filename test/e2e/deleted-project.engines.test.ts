import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { deletedProjectJourney, FREQUENT_CHECKS } from './deleted-project-journey.js';

describe('a deleted project on separate services', () =>
  deletedProjectJourney(
    () => startSplit(enginesFromEnvironment(), { dataPlane: FREQUENT_CHECKS }),
    'data-plane',
  ));
