import { openEmbedded } from '../../../test/resource-api.js';
import { describeDataPlanes } from '../../../test/data-planes-suite.js';
import { describeLeakedToken } from '../../../test/leaked-token-suite.js';

describeDataPlanes('on LMDB', openEmbedded);
describeLeakedToken('on LMDB', openEmbedded);
