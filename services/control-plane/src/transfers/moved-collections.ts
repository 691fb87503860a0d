import type { DocumentCollection, ListQuery } from '@assay/document-store';
import type { DocumentKind } from '@assay/domain';
import { OWNED_COLLECTIONS } from '../maintenance/owned-collections.js';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

type Owned = DocumentCollection<ProjectOwned>;

/** The collections whose documents move. */
export interface TransferDeps {
  readonly datapoints: Pick<Owned, never>;
  readonly members: Pick<Owned, never>;
  readonly datasetVersions: Pick<Owned, never>;
  readonly datasets: Pick<Owned, never>;
  readonly metricVersions: Pick<Owned, never>;
  readonly metrics: Pick<Owned, never>;
  readonly configurations: Pick<Owned, never>;
  readonly charts: Pick<Owned, never>;
  readonly runs: Pick<Owned, never>;
  readonly queueEntries: Pick<Owned, never>;
  readonly queues: Pick<Owned, never>;
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
