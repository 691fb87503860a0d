import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeRuns } from './runs-contract.js';

describeRuns('on SQLite', openEmbedded);
