import { formatBytes, type MovedDocument, type ResourceKind } from '@assay/contracts';
import type { DocumentKind } from '@assay/domain';
import { AppError } from '@assay/errors';
import { withinSize } from '../shared/within-size.js';

/** The resource that a document is, or has in a field; the other kinds are small. */
const RESOURCES: Readonly<
  Partial<Record<DocumentKind, { readonly kind: ResourceKind; readonly field?: string }>>
> = {
  datapoints: { kind: 'datapoint' },
  datasets: { kind: 'dataset' },
  metrics: { kind: 'metric' },
  metric_versions: { kind: 'metric', field: 'content' },
  configurations: { kind: 'configuration' },
  charts: { kind: 'chart' },
  runs: { kind: 'run' },
  queues: { kind: 'queue' },
};

/** Fields that no client sets: ids, times, and what is derived. */
const KEPT: ReadonlySet<string> = new Set([
  ...['id', 'created_at', 'updated_at', 'date', 'full_sha', 'message', 'metric_id', 'list_id', 'is_active'],
  ...['version_ids', 'deployed', 'newest_version', 'env_key', 'tags_key', 'name_key', 'dataset_key'],
  ...['dataset_version', 'routes_from', 'not_decided'],
]);
/** A metric has the ids of its versions. */
const MAX_KEPT_BYTES = { metrics: 1024 * 1024, others: 64 * 1024 };

/**
 * A document that is imported has the maximum size of its kind, as one that is created.
 * @throws AppError `PAYLOAD_TOO_LARGE` naming `path`
 */
export function assertDocumentSize(kind: DocumentKind, document: MovedDocument, path: string): void {
  const resource = RESOURCES[kind];
  const entries = Object.entries(document);
  const isContent = (name: string) =>
    resource !== undefined && (resource.field === undefined ? !KEPT.has(name) : name === resource.field);
  const content = Object.fromEntries(entries.filter(([name]) => isContent(name)));
  if (resource !== undefined)
    withinSize(
      resource.kind,
      resource.field === undefined ? content : (content[resource.field] as object),
      undefined,
      `${path}: `,
    );
  const kept = Object.fromEntries(entries.filter(([name]) => !isContent(name)));
  const maxBytes = kind === 'metrics' ? MAX_KEPT_BYTES.metrics : MAX_KEPT_BYTES.others;
  if (Buffer.byteLength(JSON.stringify(kept)) > maxBytes)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `${path}: the ids and times of a document must not exceed ${formatBytes(maxBytes)} of JSON`,
    );
}
