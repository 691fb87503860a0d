import type { QueueResponse } from '@assay/contracts';
import { arrivalWarnings, type FilterList } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

export interface QueueFields extends ProjectOwned {
  readonly name: string;
  readonly description: string;
  readonly filters: FilterList;
  readonly enabled: boolean;
  /** How many annotators complete each event; absent in queues of earlier releases: 1. */
  readonly annotations_per_item?: number;
  /** The only metrics by which people score its events; null or absent: every metric that people score. */
  readonly metric_ids?: readonly string[] | null;
  /** Events of which it was not decided whether the queue takes them; absent before the first. */
  readonly not_decided?: number;
  /** False once the queue is deleted. */
  readonly is_active: boolean;
  /** Start of automatic routing: when the queue was created, enabled, or got its filters. ISO 8601. */
  readonly routes_from: string;
  readonly created_at: string;
  readonly updated_at: string;
}
export type Queue = Document<QueueFields>;
export type QueueCollection = DocumentCollection<QueueFields>;

export const QUEUE_COLLECTION: CollectionSpec = {
  name: 'queues',
  unique: [],
  indexes: [
    ['project_id', 'is_active', 'created_at'],
    ['project_id', 'is_active', 'enabled', 'created_at'],
  ],
};

/** Event in a queue. A separate document, because a queue may contain any number of events. */
export interface QueueEntryFields extends ProjectOwned {
  readonly queue_id: string;
  readonly event_id: string;
  readonly added_at: string;
  /** Sort key within the queue, unique. */
  readonly position: string;
  /**
   * True after the event was removed by request. The entry remains as a tombstone, so that routing does not
   * add it again.
   */
  readonly is_removed: boolean;
  /** When the event was marked as done or skipped, and the id of the key; null until then. */
  readonly done_at: string | null;
  readonly done_by: string | null;
  /** Whether it is done or skipped. */
  readonly is_done: boolean;
  // Entries of earlier releases lack the following fields.
  /** Whether it was skipped; null for an entry that is done or open. */
  readonly closed_as?: 'skipped' | null;
  /** Who has marked it; null until then. */
  readonly annotator?: string | null;
  /** Who has leased it, and the end of the lease, ISO 8601; null without a lease. */
  readonly lease_annotator?: string | null;
  readonly lease_until?: string | null;
  /** Who has completed it, each once; absent in entries of earlier releases. Several only if the queue says so. */
  readonly annotators?: readonly string[];
  /** Number of changes of the state and of annotators. Leases are none. */
  readonly revision?: number;
}
export type QueueEntryCollection = DocumentCollection<QueueEntryFields>;

export const QUEUE_ENTRY_COLLECTION: CollectionSpec = {
  name: 'queue_entries',
  unique: [],
  indexes: [
    ['project_id', 'queue_id', 'is_removed', 'position'],
    ['project_id', 'queue_id', 'is_removed', 'is_done', 'position'],
    ['project_id', 'queue_id', 'is_removed', 'is_done', 'lease_until'],
    ['project_id', 'queue_id', 'is_removed', 'is_done', 'lease_until', 'position'],
    ['project_id', 'queue_id', 'is_removed', 'is_done', 'closed_as', 'position'],
    ['project_id', 'lease_annotator', 'lease_until'],
    ['project_id', 'event_id'],
  ],
};

export function toQueueResponse(queue: Queue): QueueResponse {
  const { id, project_id, name, description, filters, enabled, is_active, created_at, updated_at } = queue;
  const warnings = arrivalWarnings(filters.filterArray, 'filters.filterArray');
  return {
    id,
    name,
    description,
    filters,
    enabled,
    annotations_per_item: queue.annotations_per_item ?? 1,
    ...(queue.metric_ids && { metric_ids: [...queue.metric_ids] }),
    not_decided: queue.not_decided ?? 0,
    scope_type: 'project',
    scope_id: project_id,
    is_active,
    created_at,
    updated_at,
    ...(warnings.length > 0 && { warnings }),
  };
}
