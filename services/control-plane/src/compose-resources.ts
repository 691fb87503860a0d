import type { DocumentStore } from '@assay/document-store';
import { chartOperations } from './charts/chart-operations.js';
import { CHART_COLLECTION, type ChartFields } from './charts/chart-document.js';
import { configurationOperations } from './configurations/configuration-operations.js';
import {
  CONFIGURATION_COLLECTION,
  type ConfigurationFields,
} from './configurations/configuration-document.js';
import { datapointsForDataPlane } from './datasets/datapoints-for-data-plane.js';
import { datapointOperations } from './datasets/datapoint-operations.js';
import { DATAPOINT_COLLECTION, type DatapointFields } from './datasets/datapoint-document.js';
import { datasetOperations } from './datasets/dataset-operations.js';
import {
  DATASET_COLLECTION,
  type DatasetFields,
  DATASET_MEMBER_COLLECTION,
  type DatasetMemberFields,
} from './datasets/dataset-document.js';
import { makeNextPosition } from './shared/list-position.js';
import { metricOperations } from './metrics/metric-operations.js';
import {
  METRIC_COLLECTION,
  type MetricFields,
  METRIC_VERSION_COLLECTION,
  type MetricVersionFields,
} from './metrics/metric-document.js';
import { queueOperations } from './queues/queue-operations.js';
import {
  QUEUE_ENTRY_COLLECTION,
  QUEUE_COLLECTION,
  type QueueEntryFields,
  type QueueFields,
} from './queues/queue-document.js';
import { queuesForDataPlane } from './queues/queues-for-data-plane.js';
import { runOperations } from './runs/run-operations.js';
import { RUN_COLLECTION, type RunFields } from './runs/run-document.js';

export interface ResourceOptions {
  readonly documents: DocumentStore;
  readonly now: () => Date;
}

/** The operations on what a project keeps besides its events, and what the data plane asks about it. @throws AppError `UNAVAILABLE` when the documents cannot be reached */
export async function composeResources({ documents, now }: ResourceOptions) {
  const datapoints = await documents.collection<DatapointFields>(DATAPOINT_COLLECTION);
  const datasets = await documents.collection<DatasetFields>(DATASET_COLLECTION);
  const members = await documents.collection<DatasetMemberFields>(DATASET_MEMBER_COLLECTION);
  const runs = await documents.collection<RunFields>(RUN_COLLECTION);
  const metrics = await documents.collection<MetricFields>(METRIC_COLLECTION);
  const metricVersions = await documents.collection<MetricVersionFields>(METRIC_VERSION_COLLECTION);
  const configurations = await documents.collection<ConfigurationFields>(CONFIGURATION_COLLECTION);
  const queues = await documents.collection<QueueFields>(QUEUE_COLLECTION);
  const queueEntries = await documents.collection<QueueEntryFields>(QUEUE_ENTRY_COLLECTION);
  const charts = await documents.collection<ChartFields>(CHART_COLLECTION);
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
