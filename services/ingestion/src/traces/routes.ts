import { exportLogs, exportMetrics, exportTraces } from '@assay/contracts';
import { bindRaw, type Binding } from '@assay/http';
import { makeExportLogs } from './export-logs.js';
import { makeExportMetrics } from './export-metrics.js';
import { makeExportTraces, type TraceDeps } from './export-traces.js';

export function traceRoutes(deps: TraceDeps): Binding[] {
  return [
    bindRaw(exportTraces, makeExportTraces(deps)),
    bindRaw(exportLogs, makeExportLogs(deps)),
    bindRaw(exportMetrics, makeExportMetrics()),
  ];
}
