import { openEmbedded } from '../records/resource-api.fixture.js';
import { describeRuns } from './runs-contract.js';

describeRuns('on LMDB', openEmbedded);
