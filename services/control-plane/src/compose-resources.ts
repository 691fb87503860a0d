import type { DocumentStore } from '@assay/document-store';
import { chartOperations } from './charts/chart-operations.js';
import { CHART_RECORDS, type ChartFields } from './charts/chart-document.js';
import { configurationOperations } from './configurations/configuration-operations.js';
import { CONFIGURATION_RECORDS, type ConfigurationFields } from './configurations/configuration-document.js';
import { datapointsForDataPlane } from './datasets/datapoints-for-data-plane.js';
import { datapointOperations } from './datasets/datapoint-operations.js';
import { DATAPOINT_RECORDS, type DatapointFields } from './datasets/datapoint-document.js';
import { datasetOperations } from './datasets/dataset-operations.js';
import {
  DATASET_RECORDS,
  type DatasetFields,
  MEMBER_RECORDS,
  type MemberFields,
} from './datasets/dataset-document.js';
import { makeNextPosition } from './shared/list-position.js';
import { metricOperations } from './metrics/metric-operations.js';
import {
  METRIC_RECORDS,
  type MetricFields,
  VERSION_RECORDS,
  type VersionFields,
} from './metrics/metric-document.js';
import { queueOperations } from './queues/queue-operations.js';
import {
  QUEUE_ENTRY_RECORDS,
  QUEUE_RECORDS,
  type QueueEntryFields,
  type QueueFields,
} from './queues/queue-document.js';
import { queuesForDataPlane } from './queues/queues-for-data-plane.js';
import { runOperations } from './runs/run-operations.js';
import { RUN_RECORDS, type RunFields } from './runs/run-document.js';

export interface ResourceOptions {
  readonly documents: DocumentStore;
  readonly now: () => Date;
}

/** The operations on what a project keeps besides its events, and what the data plane asks about it. @throws AppError `UNAVAILABLE` when the documents cannot be reached */
export async function composeResources({ documents, now }: ResourceOptions) {
  const datapoints = await documents.collection<DatapointFields>(DATAPOINT_RECORDS);
  const datasets = await documents.collection<DatasetFields>(DATASET_RECORDS);
  const members = await documents.collection<MemberFields>(MEMBER_RECORDS);
  const runs = await documents.collection<RunFields>(RUN_RECORDS);
  const metrics = await documents.collection<MetricFields>(METRIC_RECORDS);
  const metricVersions = await documents.collection<VersionFields>(VERSION_RECORDS);
  const configurations = await documents.collection<ConfigurationFields>(CONFIGURATION_RECORDS);
  const queues = await documents.collection<QueueFields>(QUEUE_RECORDS);
  const queueEntries = await documents.collection<QueueEntryFields>(QUEUE_ENTRY_RECORDS);
  const charts = await documents.collection<ChartFields>(CHART_RECORDS);
  const deps = {
    queues,
    queueEntries,
    charts,
    configurations,
    metrics,
    metricVersions,
    runs,
    datapoints,
    datasets,
    members,
    nextPosition: makeNextPosition(now),
    now,
  };
  const operations = {
    ...datapointOperations(deps),
    ...datasetOperations(deps),
    ...runOperations(deps),
    ...metricOperations(deps),
    ...configurationOperations(deps),
    ...queueOperations(deps),
    ...chartOperations(deps),
  };
  return {
    operations,
    forDataPlane: { ...queuesForDataPlane(deps), ...datapointsForDataPlane(deps) },
    queueDeps: deps,
  };
}

export type ResourceOperations = Awaited<ReturnType<typeof composeResources>>['operations'];
