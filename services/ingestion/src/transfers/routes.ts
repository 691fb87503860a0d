import { importEvents } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { makeImportEvents } from './import-events.js';

export function transferRoutes(deps: IngestionDeps): Binding[] {
  return [bind(importEvents, makeImportEvents(deps))];
}
