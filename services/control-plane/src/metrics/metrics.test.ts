import { openEmbedded } from '../../test/resource-api.js';
import { describeModelWarnings } from '../../test/model-warnings-suite.js';
import { describeMetrics } from '../../test/metrics-suite.js';

describeMetrics('on SQLite', openEmbedded);
describeModelWarnings('on SQLite', openEmbedded);
