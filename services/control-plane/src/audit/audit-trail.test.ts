import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeAuditTrail } from './audit-trail-contract.js';

describeAuditTrail('on SQLite', openEmbedded);
