import type { Binding } from '@assay/http';
import { backupRoutes } from '../backups/routes.js';
import { chartRoutes } from '../charts/routes.js';
import { datapointRoutes } from '../datapoints/routes.js';
import { deadLetterRoutes } from '../dead-letters/routes.js';
import { evaluationRoutes } from '../evaluations/routes.js';
import { deletionRoutes } from '../deletions/routes.js';
import { eventRoutes } from '../events/routes.js';
import { migrationRoutes } from '../migrations/routes.js';
import { queueRoutes } from '../queues/routes.js';
import { eventSchemaRoutes, runRoutes } from '../runs/routes.js';
import { sessionRoutes } from '../sessions/routes.js';
import { transferRoutes } from '../transfers/routes.js';
import { usageRoutes } from '../usage/routes.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Returns the routes that the data plane serves itself; it proxies all others to their services. */
export function dataPlaneRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    ...eventSchemaRoutes(deps),
    ...chartRoutes(deps),
    ...eventRoutes(deps),
    ...evaluationRoutes(deps),
    ...sessionRoutes(deps),
    ...usageRoutes(deps),
    ...datapointRoutes(deps),
    ...queueRoutes(deps),
    ...runRoutes(deps),
    ...deadLetterRoutes(deps),
    ...deletionRoutes(deps),
    ...transferRoutes(deps),
    ...migrationRoutes(deps),
    ...backupRoutes(deps),
  ];
}
