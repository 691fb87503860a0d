/** Kinds of documents that an export contains, in the order of an import: what a document names precedes it. */
export const DOCUMENT_KINDS = [
  'datapoints',
  'dataset_members',
  'dataset_versions',
  'datasets',
  'metric_versions',
  'metrics',
  'configurations',
  'charts',
  'runs',
  'queue_entries',
  'queues',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
