import { getMetricAgreement, listEventEvaluations, listMetricDecisions } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeGetMetricAgreement } from './get-metric-agreement.js';
import { makeListEventEvaluations } from './list-event-evaluations.js';
import { makeListMetricDecisions } from './list-metric-decisions.js';

export function evaluationRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    bind(listEventEvaluations, makeListEventEvaluations(deps)),
    bind(getMetricAgreement, makeGetMetricAgreement(deps)),
    bind(listMetricDecisions, makeListMetricDecisions(deps)),
  ];
}
