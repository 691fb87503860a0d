import { openEmbedded } from '../../test/resource-api.js';
import { describeDatapoints } from '../../test/datapoints-suite.js';

describeDatapoints('on SQLite', openEmbedded);
