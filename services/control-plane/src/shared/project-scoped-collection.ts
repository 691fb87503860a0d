import type {
  Document,
  DocumentCollection,
  IndexEntry,
  ListQuery,
  NewDocument,
  Scalar,
} from '@assay/document-store';
import { AppError } from '@assay/errors';
import { updateWithRetry } from './update-with-retry.js';

/** What every resource carries: the project that it belongs to. */
export interface ProjectOwned {
  readonly project_id: string;
}

/** Selects resources of the project at hand; the project is added to it. */
type OwnQuery = Omit<ListQuery, 'equals' | 'limit'> & { readonly equals?: Equals };
type Equals = Readonly<Record<string, Scalar>> & { readonly project_id?: never };

/** A project holds no more of a kind than this, where its whole list is one answer. */
const MAX_PER_PROJECT = 10_000;
const PAGE = 1_000;

/**
 * The documents of one collection that belong to one project. The project is part of every document's key and stands first in every
 * query, so that another project's documents are as unknown as those that do not exist.
 */
export class ProjectScopedCollection<Fields extends ProjectOwned> {
  constructor(
    private readonly collection: DocumentCollection<Fields>,
    readonly projectId: string,
  ) {}

  /** @throws AppError `CONFLICT` when the id is taken, and as the document store */
  async insert(id: string, fields: Fields): Promise<Document<Fields>> {
    return this.shown(await this.collection.insert(this.key(id), { ...fields, project_id: this.projectId }));
  }

  /** Stores documents whose id is free, any number of them. When it fails, some may be stored. */
  async insertMissing(documents: readonly NewDocument<Fields>[]): Promise<void> {
    const owned = documents.map(({ id, fields }) => ({
      id: this.key(id),
      fields: { ...fields, project_id: this.projectId },
    }));
    for (let start = 0; start < owned.length; start += PAGE)
      await this.collection.insertMissing(owned.slice(start, start + PAGE));
  }

  async get(id: string): Promise<Document<Fields> | undefined> {
    const found = await this.collection.get(this.key(id));
    return found && this.shown(found);
  }

  /** Those of these documents that there are, each once and in no order. */
  async getAll(ids: readonly string[]): Promise<Document<Fields>[]> {
    const keys = [...new Set(ids)].map((id) => this.key(id));
    const all: Document<Fields>[] = [];
    for (let start = 0; start < keys.length; start += PAGE) {
      const found = await this.collection.getAll(keys.slice(start, start + PAGE));
      all.push(...found.map((document) => this.shown(document)));
    }
    return all;
  }

  /**
   * Replaces a document by what `change` makes of it, again when somebody else was faster. Undefined when there is none.
   * @throws AppError `CONFLICT` after ten attempts, and whatever `change` throws
   */
  async change(
    id: string,
    change: (found: Document<Fields>) => Document<Fields>,
  ): Promise<Document<Fields> | undefined> {
    const changed = await updateWithRetry(
      this.collection,
      () => this.collection.get(this.key(id)),
      (found) => ({ ...change(this.shown(found)), id: found.id }),
    );
    return changed && this.shown(changed);
  }

  /** Replaces the document if it is still of this version; undefined when it is not, or gone. */
  async replace(document: Document<Fields>): Promise<Document<Fields> | undefined> {
    const replaced = await this.collection.replace({
      ...document,
      project_id: this.projectId,
      id: this.key(document.id),
    });
    return replaced && this.shown(replaced);
  }

  delete(id: string): Promise<boolean> {
    return this.collection.delete(this.key(id));
  }

  /** Removes at most 1,000 documents. */
  deleteAll(ids: readonly string[]): Promise<void> {
    return this.collection.deleteAll(ids.map((id) => this.key(id)));
  }

  async page(query: OwnQuery, limit: number): Promise<Document<Fields>[]> {
    const equals = { project_id: this.projectId, ...query.equals };
    return (await this.collection.list({ ...query, equals, limit })).map((document) => this.shown(document));
  }

  /** As {@link page}, what the index says alone: for lists that are longer than one reads. At most 10,000. */
  async entries(query: OwnQuery & { readonly orderBy: string }, limit: number): Promise<IndexEntry[]> {
    const equals = { project_id: this.projectId, ...query.equals };
    const entries = await this.collection.entries({ ...query, equals, limit });
    return entries.map(({ id, value }) => ({ id: this.shownId(id), value }));
  }

  /** All that match, at most 10,000. */
  async all(query: OwnQuery): Promise<Document<Fields>[]> {
    const all: Document<Fields>[] = [];
    while (all.length < MAX_PER_PROJECT) {
      const page = await this.page({ ...query, offset: all.length }, PAGE);
      all.push(...page);
      if (page.length < PAGE) break;
    }
    return all;
  }

  count(equals: Equals = {}, where?: ListQuery['where']): Promise<number> {
    return this.collection.count({ project_id: this.projectId, ...equals }, where);
  }

  /** @throws AppError `CONFLICT` when the project is full of them, naming the `kind` in the plural */
  async assertQuota(kind: string, equals?: Equals): Promise<void> {
    if ((await this.count(equals)) < MAX_PER_PROJECT) return;
    throw new AppError(
      'CONFLICT',
      `the project has ${MAX_PER_PROJECT} ${kind}, which is the most that it may have`,
    );
  }

  private key(id: string): string {
    return `${this.projectId}:${id}`;
  }

  private shown(document: Document<Fields>): Document<Fields> {
    return { ...document, id: this.shownId(document.id) };
  }

  private shownId(key: string): string {
    return key.slice(this.projectId.length + 1);
  }
}
