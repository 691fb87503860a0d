import type { JsonValue } from '@assay/domain';

/** A document: JSON fields, an opaque `id`, and a `version` that the store counts up with every write. */
export type Document<Fields extends object = Record<string, JsonValue>> = Fields & {
  readonly id: string;
  readonly version: number;
};

/** A document to be stored. */
export interface NewDocument<Fields extends object> {
  readonly id: string;
  readonly fields: Fields;
}

/** What is known about a collection beforehand. */
export interface CollectionSpec {
  /** Lower-case words joined by `_`. */
  readonly name: string;
  /** Sets of top-level fields whose values together are unique in the collection. A document without one of the fields takes no part. */
  readonly unique: readonly (readonly string[])[];
  /**
   * Sets of top-level fields that `list` may filter and order by. Every query must be covered by one of them or by `unique`: the
   * set consists of the fields of `equals`, in any order, followed by the field of `orderBy` if there is one. `count` may leave
   * out the last field. Strings in these fields are at most 1,000 bytes.
   */
  readonly indexes: readonly (readonly string[])[];
  /** Further top-level fields that `where` may name. They are not ordered by, so their strings may have any length. */
  readonly filtered?: readonly string[];
}

/** A scalar that documents are selected by. Objects are not accepted: a value is data, never an operator. */
export type Scalar = string | number | boolean | null;

/**
 * A condition on a field of `unique`, `indexes` or `filtered`. `in`: equals one of at most 1,000 values; none of no values. `from`, `to`:
 * lies between, both ends included, and is of their type. `containsAny`: is a string in which one of the texts occurs, letter by letter.
 */
export type Condition =
  | { readonly field: string; readonly in: readonly Scalar[] }
  | { readonly field: string; readonly from?: string | number; readonly to?: string | number }
  | { readonly field: string; readonly containsAny: readonly string[] };

export interface ListQuery {
  /** Top-level fields and the value that each must equal. A field that a document lacks equals null. */
  readonly equals: Readonly<Record<string, Scalar>>;
  /**
   * Conditions that must hold besides. One on the field of `orderBy` with `from`, `to` or `in` narrows what is read, others are checked on
   * each document that `equals` selects.
   */
  readonly where?: readonly Condition[];
  /** Field to order by, then by `id`; absent: by `id`. Strings order by code point; null comes before numbers, those before strings. */
  readonly orderBy?: string;
  /** Reverses the whole order, `id` included. */
  readonly descending?: boolean;
  /** Documents to pass over, and the most to return (1 to 1,000). */
  readonly offset?: number;
  readonly limit: number;
}

/** What an index knows of a document. */
export interface IndexEntry {
  readonly id: string;
  /** Its value of the field that the index orders by; undefined for an object or an array. */
  readonly value: Scalar | undefined;
}

/** A query that an index answers alone: its conditions are on the field of `orderBy`. At most 10,000 entries. */
export interface EntryQuery extends ListQuery {
  readonly orderBy: string;
}

/**
 * One kind of document. One document is the unit of atomicity: nothing spans two. Every write is durable when it resolves
 * (majority-acknowledged and journalled, or synced to disk).
 * A failure to reach the store is `UNAVAILABLE` (for a write: outcome unknown).
 */
export interface DocumentCollection<Fields extends object> {
  /**
   * Stores a new document with version 1.
   * @throws AppError `CONFLICT` when the id or a unique set is taken (`details.fields` names the set), `PAYLOAD_TOO_LARGE` over 16,000,000 bytes of JSON, `VALIDATION_ERROR` for an empty id, one over 512 bytes, or an indexed string over 1,000 bytes
   */
  insert(id: string, fields: Fields): Promise<Document<Fields>>;

  /**
   * Stores at most 1,000 new documents in few round trips, each as `insert` does; one whose id is taken is left as it is. True when no id was
   * taken. When it fails, some may be stored: the same call again finishes the work. @throws AppError as `insert`, but not for a taken id
   */
  insertMissing(documents: readonly NewDocument<Fields>[]): Promise<boolean>;

  /** Undefined when there is none. */
  get(id: string): Promise<Document<Fields> | undefined>;

  /** Of at most 1,000 ids, the documents that there are, each once and in no order, in one round trip. */
  getAll(ids: readonly string[]): Promise<readonly Document<Fields>[]>;

  /** The document whose unique set has these values; undefined when there is none. */
  findUnique(values: Readonly<Record<string, Scalar>>): Promise<Document<Fields> | undefined>;

  /**
   * Replaces the fields if the stored version is still `document.version`; returns the new document, or undefined when somebody
   * else was faster or the document is gone. @throws AppError `CONFLICT` for a unique set, `PAYLOAD_TOO_LARGE`, `VALIDATION_ERROR` as `insert`
   */
  replace(document: Document<Fields>): Promise<Document<Fields> | undefined>;

  /**
   * Replaces at most 1,000 documents in few round trips, each as `replace` does. False when one or more were left alone because somebody else
   * was faster or they are gone: read them again to see which. When it fails, some may be replaced. @throws AppError as `replace`
   */
  replaceAll(documents: readonly Document<Fields>[]): Promise<boolean>;

  /** Removes the document. False when there was none. */
  delete(id: string): Promise<boolean>;

  /** Removes at most 1,000 documents in few round trips; ids of which there is none are passed over. When it fails, some may be gone. */
  deleteAll(ids: readonly string[]): Promise<void>;

  /** Documents that match, in order. Pages and filters in the store, never in memory. */
  list(query: ListQuery): Promise<readonly Document<Fields>[]>;

  /** What `list` finds, without reading the documents. @throws AppError `INTERNAL_ERROR` when a condition needs more than the index */
  entries(query: EntryQuery): Promise<readonly IndexEntry[]>;

  /** Number of documents that match. */
  count(equals: Readonly<Record<string, Scalar>>, where?: readonly Condition[]): Promise<number>;
}

/** Adapters: MongoDB, and SQLite for the single process. */
export interface DocumentStore {
  /** Opens a collection and makes its indexes; idempotent, also from two processes at once. */
  collection<Fields extends object>(spec: CollectionSpec): Promise<DocumentCollection<Fields>>;

  /** Resolves when the store answers. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;

  /** Idempotent. */
  close(): Promise<void>;
}
