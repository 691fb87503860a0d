import { openEmbedded } from '../../test/resource-api.js';
import { describeCharts } from '../../test/charts-suite.js';

describeCharts('on SQLite', openEmbedded);
