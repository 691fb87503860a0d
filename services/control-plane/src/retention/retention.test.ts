import { describeRetention } from '../../test/retention-suite.js';
import { openEmbedded } from '../../test/resource-api.js';

describeRetention('on SQLite', openEmbedded);
