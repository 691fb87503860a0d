import type {
  Document,
  DocumentCollection,
  IndexEntry,
  ListQuery,
  NewDocument,
  Scalar,
} from '@assay/document-store';
import { AppError } from '@assay/errors';
import { chunks } from './chunks.js';
import { updateWithRetry } from './update-with-retry.js';

/** Fields of every document that belongs to a project. */
export interface ProjectOwned {
  readonly project_id: string;
}

/** Query within one project. The collection adds the project. */
type OwnQuery = Omit<ListQuery, 'equals' | 'limit'> & { readonly equals?: Equals };
type Equals = Readonly<Record<string, Scalar>> & { readonly project_id?: never };

/** Maximum number of documents of a kind in a project, for kinds that are listed in one response. */
const MAX_PER_PROJECT = 10_000;
const PAGE = 1_000;

/**
 * Documents of a collection that belong to one project. The project is part of every key and of every query,
 * so that documents of other projects are indistinguishable from missing ones.
 */
export class ProjectScopedCollection<Fields extends ProjectOwned> {
  constructor(
    private readonly collection: DocumentCollection<Fields>,
    readonly projectId: string,
  ) {}

  /** @throws AppError `CONFLICT` when the id is taken, and as the document store */
  async insert(id: string, fields: Fields): Promise<Document<Fields>> {
    return this.withoutPrefix(
      await this.collection.insert(this.key(id), { ...fields, project_id: this.projectId }),
    );
  }

  /** Inserts the documents whose id is free. After a failure, some may have been inserted. */
  async insertMissing(documents: readonly NewDocument<Fields>[]): Promise<void> {
    const owned = documents.map(({ id, fields }) => ({
      id: this.key(id),
      fields: { ...fields, project_id: this.projectId },
    }));
    for (const page of chunks(owned, PAGE)) await this.collection.insertMissing(page);
  }

  async get(id: string): Promise<Document<Fields> | undefined> {
    const found = await this.collection.get(this.key(id));
    return found && this.withoutPrefix(found);
  }

  /** Returns the existing documents among these ids, each once, in no particular order. */
  async getAll(ids: readonly string[]): Promise<Document<Fields>[]> {
    const keys = [...new Set(ids)].map((id) => this.key(id));
    const all: Document<Fields>[] = [];
    for (const page of chunks(keys, PAGE)) {
      const found = await this.collection.getAll(page);
      all.push(...found.map((document) => this.withoutPrefix(document)));
    }
    return all;
  }

  /**
   * Replaces a document by the result of `update`, and retries after a concurrent write. Returns undefined if
   * there is none.
   * @throws AppError `CONFLICT` after ten attempts, and any error of `update`
   */
  async update(
    id: string,
    update: (found: Document<Fields>) => Document<Fields>,
  ): Promise<Document<Fields> | undefined> {
    const updated = await updateWithRetry(
      this.collection,
      () => this.collection.get(this.key(id)),
      (found) => ({ ...update(this.withoutPrefix(found)), id: found.id }),
    );
    return updated && this.withoutPrefix(updated);
  }

  /** Replaces the document if its version is unchanged. Returns undefined if it changed or was deleted. */
  async replace(document: Document<Fields>): Promise<Document<Fields> | undefined> {
    const replaced = await this.collection.replace({
      ...document,
      project_id: this.projectId,
      id: this.key(document.id),
    });
    return replaced && this.withoutPrefix(replaced);
  }

  delete(id: string): Promise<boolean> {
    return this.collection.delete(this.key(id));
  }

  /** Deletes at most 1,000 documents. */
  deleteAll(ids: readonly string[]): Promise<void> {
    return this.collection.deleteAll(ids.map((id) => this.key(id)));
  }

  async page(query: OwnQuery, limit: number): Promise<Document<Fields>[]> {
    const equals = { project_id: this.projectId, ...query.equals };
    return (await this.collection.list({ ...query, equals, limit })).map((document) =>
      this.withoutPrefix(document),
    );
  }

  /** As {@link page}, but read from the index only, for long lists. At most 10,000 entries. */
  async entries(query: OwnQuery & { readonly orderBy: string }, limit: number): Promise<IndexEntry[]> {
    const equals = { project_id: this.projectId, ...query.equals };
    const entries = await this.collection.entries({ ...query, equals, limit });
    return entries.map(({ id, value }) => ({ id: this.idOf(id), value }));
  }

  /** Returns all matching documents, at most 10,000. */
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

  /**
   * @throws AppError `CONFLICT` if the project has the maximum number of documents; `kind` is their plural
   * name
   */
  async assertQuota(kind: string, equals?: Equals): Promise<void> {
    if ((await this.count(equals)) < MAX_PER_PROJECT) return;
    throw new AppError('CONFLICT', `the project has ${MAX_PER_PROJECT} ${kind}, which is the maximum`);
  }

  private key(id: string): string {
    return `${this.projectId}:${id}`;
  }

  private withoutPrefix(document: Document<Fields>): Document<Fields> {
    return { ...document, id: this.idOf(document.id) };
  }

  private idOf(key: string): string {
    return key.slice(this.projectId.length + 1);
  }
}
