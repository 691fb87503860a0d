import { openEmbedded } from '../../test/resource-api.js';
import { describeMetrics } from '../../test/metrics-suite.js';

describeMetrics('on SQLite', openEmbedded);
