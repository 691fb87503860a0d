import { openEmbedded } from '../../../test/resource-api.js';
import { describeDataPlanes } from '../../../test/data-planes-suite.js';
import { describeLeakedToken } from '../../../test/leaked-token-suite.js';

describeDataPlanes('on SQLite', openEmbedded);
describeLeakedToken('on SQLite', openEmbedded);
