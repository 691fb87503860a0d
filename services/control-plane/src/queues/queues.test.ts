import { openEmbedded } from '../../test/resource-api.js';
import { describeQueues } from '../../test/queues-suite.js';

describeQueues('on SQLite', openEmbedded);
