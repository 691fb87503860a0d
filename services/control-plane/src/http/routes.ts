import type { Binding } from '@assay/http';
import { alertRoutes } from '../alerts/routes.js';
import { auditRoutes } from '../audit/routes.js';
import { chartRoutes } from '../charts/routes.js';
import { configurationRoutes } from '../configurations/routes.js';
import { datasetRoutes } from '../datasets/routes.js';
import { administratorRoutes } from '../identity/administrators/routes.js';
import { dataPlaneRoutes } from '../identity/data-planes/routes.js';
import { apiKeyRoutes } from '../identity/keys/routes.js';
import { projectRoutes } from '../identity/projects/routes.js';
import { jobRoutes } from '../jobs/routes.js';
import { metricRoutes } from '../metrics/routes.js';
import { queueRoutes } from '../queues/routes.js';
import { runRoutes } from '../runs/routes.js';
import { transferRoutes } from '../transfers/routes.js';

const NOUNS = [
  projectRoutes,
  apiKeyRoutes,
  dataPlaneRoutes,
  administratorRoutes,
  auditRoutes,
  datasetRoutes,
  runRoutes,
  metricRoutes,
  jobRoutes,
  configurationRoutes,
  queueRoutes,
  chartRoutes,
  alertRoutes,
  transferRoutes,
] as const;

/** Dependencies of all nouns: TypeScript infers the intersection of the parameters of these functions. */
export type ControlPlaneRouteDeps = (typeof NOUNS)[number] extends (deps: infer D) => Binding[] ? D : never;

/** Binds the public routes of the control plane. */
export function controlPlaneRoutes(deps: ControlPlaneRouteDeps): Binding[] {
  return NOUNS.flatMap((routes) => routes(deps));
}
