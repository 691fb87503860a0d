import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeDataPlanes } from './data-planes-contract.js';
import { describeLeakedToken } from './leaked-token-contract.js';

describeDataPlanes('on SQLite', openEmbedded);
describeLeakedToken('on SQLite', openEmbedded);
