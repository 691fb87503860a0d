import { openEmbedded } from '../../test/resource-api.js';
import { describeAuditTrail } from '../../test/audit-trail-suite.js';

describeAuditTrail('on SQLite', openEmbedded);
