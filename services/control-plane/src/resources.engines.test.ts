import { randomUUID } from 'node:crypto';
import { openMongoDocumentStore } from '@assay/document-store/mongodb';
import { describeAlerts } from '../test/alerts-suite.js';
import { describeAuditTrail } from '../test/audit-trail-suite.js';
import { describeCharts } from '../test/charts-suite.js';
import { describeConfigurations } from '../test/configurations-suite.js';
import { describeAdministrators } from '../test/administrators-suite.js';
import { describeDataPlanes } from '../test/data-planes-suite.js';
import { describeLeakedToken } from '../test/leaked-token-suite.js';
import { describeDatapoints } from '../test/datapoints-suite.js';
import { describeDatasets } from '../test/datasets-suite.js';
import { describeJobs } from '../test/jobs-suite.js';
import { describeMetrics } from '../test/metrics-suite.js';
import { describeModelWarnings } from '../test/model-warnings-suite.js';
import { describeDeletedProject } from '../test/deleted-project-suite.js';
import { describeQueues } from '../test/queues-suite.js';
import type { OpenStore } from '../test/resource-api.js';
import { describeIngestLimits } from '../test/ingest-limits-suite.js';
import { describeRetention } from '../test/retention-suite.js';
import { describeRuns } from '../test/runs-suite.js';
import { describeSessions } from '../test/sessions-suite.js';

const url = process.env.MONGODB_URL ?? '';

const openMongo: OpenStore = async () => {
  const database = `assay_test_${randomUUID().replaceAll('-', '')}`;
  return { documents: await openMongoDocumentStore({ url, database }), remove: () => undefined };
};

describeDatasets('on MongoDB', openMongo);
describeDatapoints('on MongoDB', openMongo);
describeRuns('on MongoDB', openMongo);
describeMetrics('on MongoDB', openMongo);
describeModelWarnings('on MongoDB', openMongo);
describeJobs('on MongoDB', openMongo);
describeConfigurations('on MongoDB', openMongo);
describeQueues('on MongoDB', openMongo);
describeCharts('on MongoDB', openMongo);
describeAlerts('on MongoDB', openMongo);
describeSessions('on MongoDB', openMongo);
describeDataPlanes('on MongoDB', openMongo);
describeAdministrators('on MongoDB', openMongo);
describeLeakedToken('on MongoDB', openMongo);
describeAuditTrail('on MongoDB', openMongo);
describeDeletedProject('on MongoDB', openMongo);
describeRetention('on MongoDB', openMongo);
describeIngestLimits('on MongoDB', openMongo);
