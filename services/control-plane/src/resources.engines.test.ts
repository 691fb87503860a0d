import { randomUUID } from 'node:crypto';
import { openMongoDocumentStore } from '@assay/document-store';
import { describeAuditTrail } from './audit/audit-trail-contract.js';
import { describeCharts } from './charts/charts-contract.js';
import { describeConfigurations } from './configurations/configurations-contract.js';
import { describeDataPlanes } from './data-planes/data-planes-contract.js';
import { describeLeakedToken } from './data-planes/leaked-token-contract.js';
import { describeDatapoints } from './datapoints/datapoints-contract.js';
import { describeDatasets } from './datasets/datasets-contract.js';
import { describeMetrics } from './metrics/metrics-contract.js';
import { describeDeletedProject } from './projects/deleted-project-contract.js';
import { describeQueues } from './queues/queues-contract.js';
import type { OpenStore } from './shared/resource-api.fixture.js';
import { describeRuns } from './runs/runs-contract.js';

const url = process.env.MONGODB_URL ?? '';

const openMongo: OpenStore = async () => {
  const database = `assay_test_${randomUUID().replaceAll('-', '')}`;
  return { documents: await openMongoDocumentStore({ url, database }), remove: () => undefined };
};

describeDatasets('on MongoDB', openMongo);
describeDatapoints('on MongoDB', openMongo);
describeRuns('on MongoDB', openMongo);
describeMetrics('on MongoDB', openMongo);
describeConfigurations('on MongoDB', openMongo);
describeQueues('on MongoDB', openMongo);
describeCharts('on MongoDB', openMongo);
describeDataPlanes('on MongoDB', openMongo);
describeLeakedToken('on MongoDB', openMongo);
describeAuditTrail('on MongoDB', openMongo);
describeDeletedProject('on MongoDB', openMongo);
