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

/** Value of the last document of a page, and how many documents so far have it. */
interface LastValue {
  readonly value: string;
  readonly count: number;
}

function lastValue(
  page: readonly Document<ProjectOwned>[],
  field: string,
  before: LastValue | undefined,
): LastValue {
  const values = page.map((document) => String((document as unknown as Record<string, unknown>)[field]));
  const value = values.at(-1) ?? '';
  const count = values.filter((one) => one === value).length;
  return { value, count: value === before?.value ? before.count + count : count };
}

/** Maximum number of documents of a kind in a project, for kinds that are listed in one response. */
const MAX_PER_PROJECT = 10_000;
const PAGE = 1_000;
/** Number of documents in the first page of a list. The number of the following ones depends on their size. */
const FIRST_PAGE = 64;
/** Approximate size of a page of a list, in bytes of JSON. */
const PAGE_BYTES = 1024 * 1024;

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

  /**
   * Reads matching documents in pages of about 1 MB, at most `limit` documents, each page when the previous one is
   * consumed. Documents that are added or deleted meanwhile shift the following pages.
   */
  async *pages(query: OwnQuery, limit = MAX_PER_PROJECT): AsyncGenerator<Document<Fields>[]> {
    let [read, size] = [0, FIRST_PAGE];
    while (read < limit) {
      const paged = { ...query, offset: (query.offset ?? 0) + read, maxBytes: PAGE_BYTES };
      const page = await this.page(paged, Math.min(size, limit - read));
      if (page.length === 0) return;
      yield page;
      read += page.length;
      size = Math.min(2 * page.length, PAGE);
    }
  }

  /**
   * Reads all matching documents, at most 10,000, as {@link pages}, but each page starts after the last document of the
   * previous one, so that documents added meanwhile shift nothing. The values of `orderBy` are strings.
   */
  async *allPages(query: OwnQuery & { readonly orderBy: string }): AsyncGenerator<Document<Fields>[]> {
    const { orderBy, descending, where = [] } = query;
    let [read, size] = [0, FIRST_PAGE];
    let last: LastValue | undefined;
    while (read < MAX_PER_PROJECT) {
      const bound = last && { field: orderBy, ...(descending ? { to: last.value } : { from: last.value }) };
      const rest = { where: [...where, ...(bound ? [bound] : [])], offset: last?.count ?? 0 };
      const found = await this.page({ ...query, ...rest, maxBytes: PAGE_BYTES }, size);
      if (found.length === 0) return;
      yield found;
      last = lastValue(found, orderBy, last);
      read += found.length;
      size = Math.min(2 * found.length, PAGE);
    }
  }

  /** Reads the existing documents among these ids, in their order, as {@link pages}. */
  async *pagesByIds(ids: readonly string[]): AsyncGenerator<Document<Fields>[]> {
    let [read, size] = [0, FIRST_PAGE];
    while (read < ids.length) {
      const wanted = ids.slice(read, read + size);
      const found = await this.collection.getAllWithin(
        wanted.map((id) => this.key(id)),
        PAGE_BYTES,
      );
      if (found === undefined) {
        size = Math.ceil(wanted.length / 2);
        continue;
      }
      const byId = new Map(found.map((document) => [this.idOf(document.id), this.withoutPrefix(document)]));
      yield wanted.flatMap((id) => byId.get(id) ?? []);
      read += wanted.length;
      size = Math.min(2 * size, PAGE);
    }
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
