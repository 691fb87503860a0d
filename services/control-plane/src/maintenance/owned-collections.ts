import type { CollectionSpec, ListQuery } from '@assay/document-store';
import { CHART_RECORDS } from '../charts/chart-document.js';
import { CONFIGURATION_RECORDS } from '../configurations/configuration-document.js';
import { DATAPOINT_RECORDS } from '../datasets/datapoint-document.js';
import { DATASET_RECORDS, MEMBER_RECORDS } from '../datasets/dataset-document.js';
import { EVENT_ENTRIES } from '../events/indexed-event.js';
import { KEY_RECORDS } from '../identity/keys/key-document.js';
import { METRIC_RECORDS, VERSION_RECORDS } from '../metrics/metric-document.js';
import { QUEUE_ENTRY_RECORDS, QUEUE_RECORDS } from '../queues/queue-document.js';
import { RUN_RECORDS } from '../runs/run-document.js';

/** A collection whose documents belong to projects, with the queries that together find all of one project. */
export interface OwnedCollection {
  readonly spec: CollectionSpec;
  readonly queries: readonly Pick<ListQuery, 'equals' | 'orderBy'>[];
}

const BY_CREATION = { equals: {}, orderBy: 'created_at' };
const ACTIVE_OR_NOT = [true, false].map((is_active) => ({ equals: { is_active }, orderBy: 'created_at' }));

/** Everything that belongs to projects but the trail of what was done in them, which stays. */
export const OWNED_COLLECTIONS: readonly OwnedCollection[] = [
  { spec: KEY_RECORDS, queries: [{ equals: {} }] },
  { spec: EVENT_ENTRIES, queries: [{ equals: {}, orderBy: 'session_id' }] },
  { spec: QUEUE_ENTRY_RECORDS, queries: [{ equals: {}, orderBy: 'event_id' }] },
  { spec: QUEUE_RECORDS, queries: ACTIVE_OR_NOT },
  { spec: MEMBER_RECORDS, queries: [{ equals: {}, orderBy: 'datapoint_id' }] },
  { spec: DATASET_RECORDS, queries: [BY_CREATION] },
  { spec: DATAPOINT_RECORDS, queries: [BY_CREATION] },
  { spec: RUN_RECORDS, queries: [BY_CREATION] },
  { spec: VERSION_RECORDS, queries: [{ equals: {}, orderBy: 'metric_id' }] },
  { spec: METRIC_RECORDS, queries: ACTIVE_OR_NOT },
  { spec: CONFIGURATION_RECORDS, queries: [BY_CREATION] },
  { spec: CHART_RECORDS, queries: [BY_CREATION] },
];
