import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeQueues } from './queues-contract.js';

describeQueues('on SQLite', openEmbedded);
