import type { Binding } from '@assay/http';
import { eventRoutes } from '../events/routes.js';
import { sessionRoutes } from '../sessions/routes.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import type { TraceDeps } from '../traces/export-traces.js';
import { traceRoutes } from '../traces/routes.js';
import { transferRoutes } from '../transfers/routes.js';

/** Returns the routes that ingestion serves. */
export function ingestionRoutes(deps: IngestionDeps & TraceDeps): Binding[] {
  return [...sessionRoutes(deps), ...eventRoutes(deps), ...traceRoutes(deps), ...transferRoutes(deps)];
}
