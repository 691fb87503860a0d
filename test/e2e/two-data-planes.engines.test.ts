import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import {
  COMPLETE_NUMBERS_SETTINGS as everywhere,
  completeNumbersJourney,
} from './complete-numbers-journey.js';

// Each reads some partitions of the log: whichever is asked, the other one stores a part of what it responds with.
describe('numbers of two data planes', () =>
  completeNumbersJourney(
    () => startSplit(enginesFromEnvironment(), { dataPlanes: 2, everywhere }),
    ['data-plane-2', 'data-plane'],
  ));

describe('numbers of a data plane whose readers run in another process', () =>
  completeNumbersJourney(() => startSplit(enginesFromEnvironment(), { separateReaders: true, everywhere })));
