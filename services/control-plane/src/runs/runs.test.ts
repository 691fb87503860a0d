import { openEmbedded } from '../../test/resource-api.js';
import { describeRuns } from '../../test/runs-suite.js';

describeRuns('on SQLite', openEmbedded);
