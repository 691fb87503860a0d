import { exportEvaluations } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeExportEvaluations } from './export-evaluations.js';

export function transferRoutes(deps: DataPlaneDeps): Binding[] {
  return [bind(exportEvaluations, makeExportEvaluations(deps))];
}
