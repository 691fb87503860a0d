import { describeAlerts } from '../../test/alerts-suite.js';
import { openEmbedded } from '../../test/resource-api.js';

describeAlerts('on SQLite', openEmbedded);
