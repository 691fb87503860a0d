import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeDatapoints } from './datapoints-contract.js';

describeDatapoints('on SQLite', openEmbedded);
