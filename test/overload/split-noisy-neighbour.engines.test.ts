import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { describeNoisyNeighbour } from './noisy-neighbour.js';

describeNoisyNeighbour('on separate services', () => startSplit(enginesFromEnvironment()));
