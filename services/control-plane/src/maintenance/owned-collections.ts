import type { CollectionSpec, ListQuery } from '@assay/document-store';
import { ALERT_COLLECTION } from '../alerts/alert-document.js';
import { CHART_COLLECTION } from '../charts/chart-document.js';
import { CONFIGURATION_COLLECTION } from '../configurations/configuration-document.js';
import { DATAPOINT_COLLECTION } from '../datasets/datapoint-document.js';
import {
  DATASET_COLLECTION,
  DATASET_MEMBER_COLLECTION,
  DATASET_VERSION_COLLECTION,
} from '../datasets/dataset-document.js';
import { DELETED_EVENT_COLLECTION } from '../events/deleted-event.js';
import { API_KEY_COLLECTION } from '../identity/keys/key-document.js';
import { JOB_COLLECTION } from '../jobs/job-document.js';
import { METRIC_COLLECTION, METRIC_VERSION_COLLECTION } from '../metrics/metric-document.js';
import { QUEUE_ENTRY_COLLECTION, QUEUE_COLLECTION } from '../queues/queue-document.js';
import { RUN_COLLECTION } from '../runs/run-document.js';
import { SESSION_COLLECTION } from '../sessions/session-document.js';

/**
 * Collection of documents that belong to projects, with the queries that together find all documents of a
 * project.
 */
export interface OwnedCollection {
  readonly spec: CollectionSpec;
  readonly queries: readonly Pick<ListQuery, 'equals' | 'orderBy'>[];
}

const BY_CREATION = { equals: {}, orderBy: 'created_at' };
const ACTIVE_OR_NOT = [true, false].map((is_active) => ({ equals: { is_active }, orderBy: 'created_at' }));
const LISTED_OR_NOT = [true, false].map((is_listed) => ({ equals: { is_listed }, orderBy: 'start_time' }));

/**
 * All collections whose documents are deleted with their project. Audit entries are not: they outlive the
 * project.
 */
export const OWNED_COLLECTIONS: readonly OwnedCollection[] = [
  { spec: API_KEY_COLLECTION, queries: [{ equals: {} }] },
  { spec: SESSION_COLLECTION, queries: LISTED_OR_NOT },
  { spec: DELETED_EVENT_COLLECTION, queries: [{ equals: {}, orderBy: 'event_id' }] },
  { spec: QUEUE_ENTRY_COLLECTION, queries: [{ equals: {}, orderBy: 'event_id' }] },
  { spec: QUEUE_COLLECTION, queries: ACTIVE_OR_NOT },
  { spec: DATASET_MEMBER_COLLECTION, queries: [{ equals: {}, orderBy: 'datapoint_id' }] },
  { spec: DATASET_VERSION_COLLECTION, queries: [BY_CREATION] },
  { spec: DATASET_COLLECTION, queries: [BY_CREATION] },
  { spec: DATAPOINT_COLLECTION, queries: [BY_CREATION] },
  { spec: RUN_COLLECTION, queries: [BY_CREATION] },
  { spec: JOB_COLLECTION, queries: [BY_CREATION] },
  { spec: METRIC_VERSION_COLLECTION, queries: [{ equals: {}, orderBy: 'metric_id' }] },
  { spec: METRIC_COLLECTION, queries: ACTIVE_OR_NOT },
  { spec: CONFIGURATION_COLLECTION, queries: [BY_CREATION] },
  { spec: ALERT_COLLECTION, queries: ACTIVE_OR_NOT },
  { spec: CHART_COLLECTION, queries: [BY_CREATION] },
];
