import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeMetrics } from './metrics-contract.js';

describeMetrics('on SQLite', openEmbedded);
