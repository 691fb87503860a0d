import { startStandalone } from '../harness/stack/start-standalone.js';
import { describeNoisyNeighbour } from './noisy-neighbour.js';

describeNoisyNeighbour('on the standalone process', () => startStandalone({ LOG_LEVEL: 'error' }));
