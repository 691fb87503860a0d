import { openEmbedded } from '../records/resource-api.fixture.js';
import { describeMetrics } from './metrics-contract.js';

describeMetrics('on LMDB', openEmbedded);
