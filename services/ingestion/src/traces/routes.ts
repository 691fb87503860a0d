import { exportTraces } from '@assay/contracts';
import { bindRaw, type Binding } from '@assay/http';
import { makeExportTraces, type TraceDeps } from './export-traces.js';

export function traceRoutes(deps: TraceDeps): Binding[] {
  return [bindRaw(exportTraces, makeExportTraces(deps))];
}
