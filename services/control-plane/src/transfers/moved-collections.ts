import type { DocumentCollection, ListQuery } from '@assay/document-store';
import type { DocumentKind } from '@assay/domain';
import { OWNED_COLLECTIONS } from '../maintenance/owned-collections.js';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

type AnyCollection = DocumentCollection<ProjectOwned>;

/** The collections whose documents move. */
export interface TransferDeps {
  readonly datapoints: Pick<AnyCollection, never>;
  readonly members: Pick<AnyCollection, never>;
  readonly datasetVersions: Pick<AnyCollection, never>;
  readonly datasets: Pick<AnyCollection, never>;
  readonly metricVersions: Pick<AnyCollection, never>;
  readonly metrics: Pick<AnyCollection, never>;
  readonly configurations: Pick<AnyCollection, never>;
  readonly charts: Pick<AnyCollection, never>;
  readonly runs: Pick<AnyCollection, never>;
  readonly queueEntries: Pick<AnyCollection, never>;
  readonly queues: Pick<AnyCollection, never>;
}

/** Returns the collection of a kind. Its documents are checked by the schema of the kind, not by their type. */
export function collectionOf(deps: TransferDeps, kind: DocumentKind): DocumentCollection<ProjectOwned> {
  const collections: Readonly<Record<DocumentKind, unknown>> = {
    datapoints: deps.datapoints,
    dataset_members: deps.members,
    dataset_versions: deps.datasetVersions,
    datasets: deps.datasets,
    metric_versions: deps.metricVersions,
    metrics: deps.metrics,
    configurations: deps.configurations,
    charts: deps.charts,
    runs: deps.runs,
    queue_entries: deps.queueEntries,
    queues: deps.queues,
  };
  return collections[kind] as DocumentCollection<ProjectOwned>;
}

/** A query of the documents of a kind, by the field that orders them. */
export type OrderedQuery = Pick<ListQuery, 'equals'> & { readonly orderBy: string };

/** Returns the queries that together find all documents of a kind. */
export function queriesOf(kind: DocumentKind): readonly OrderedQuery[] {
  const owned = OWNED_COLLECTIONS.find(({ spec }) => spec.name === kind);
  if (owned === undefined) throw new Error(`no collection is named ${kind}`);
  return owned.queries.map(({ equals, orderBy = 'created_at' }) => ({ equals, orderBy }));
}
