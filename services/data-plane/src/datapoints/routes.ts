import { createDatapointBatch, previewDatapointBatch } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeCreateDatapointBatch } from './create-datapoint-batch.js';
import { makePreviewDatapointBatch } from './preview-datapoint-batch.js';

export function datapointRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    bind(createDatapointBatch, makeCreateDatapointBatch(deps)),
    bind(previewDatapointBatch, makePreviewDatapointBatch(deps)),
  ];
}
