import type { JsonValue } from '@assay/domain';
import type { Finding } from '@assay/runtime';

/** A document: JSON fields, an opaque `id`, and a `version` that the store increments with every write. */
export type Document<Fields extends object = Record<string, JsonValue>> = Fields & {
  readonly id: string;
  readonly version: number;
};

/** A document to store. */
export interface NewDocument<Fields extends object> {
  readonly id: string;
  readonly fields: Fields;
}

/** Specification of a collection. */
export interface CollectionSpec {
  /** Lower-case words joined by `_`. */
  readonly name: string;
  /**
   * Sets of top-level fields whose values together are unique in the collection. Documents without one of the
   * fields are ignored.
   */
  readonly unique: readonly (readonly string[])[];
  /**
   * Sets of top-level fields that `list` may filter and order by. Every query must be covered by one of them
   * or by `unique`: the set consists of the fields of `equals`, in any order, followed by the field of
   * `orderBy` if present. `count` may omit the last field. Strings in these fields are at most 1,000 bytes.
   */
  readonly indexes: readonly (readonly string[])[];
  /**
   * Fields of `indexes` that most documents lack. A query by a set with such a field states its value, which is
   * not null, so that the index can leave out documents without it.
   */
  readonly sparse?: readonly string[];
  /**
   * Further top-level fields that `where` may name. Lists cannot be ordered by them, so their strings may
   * have any length.
   */
  readonly filtered?: readonly string[];
}

/** A scalar that selects documents. Objects are rejected: a value is data, never an operator. */
export type Scalar = string | number | boolean | null;

/**
 * A condition on a field of `unique`, `indexes` or `filtered`. `in`: equals one of at most 1,000 values; an
 * empty list matches nothing. `from`, `to`: inclusive range of values of the same type. `containsAny`: a
 * string that contains one of the texts exactly.
 */
export type Condition =
  | { readonly field: string; readonly in: readonly Scalar[] }
  | { readonly field: string; readonly from?: string | number; readonly to?: string | number }
  | { readonly field: string; readonly containsAny: readonly string[] };

export interface ListQuery {
  /** Top-level fields and the value that each must equal. A field that a document lacks equals null. */
  readonly equals: Readonly<Record<string, Scalar>>;
  /**
   * Additional conditions. One on the field of `orderBy` with `from`, `to` or `in` narrows the scan; others
   * are evaluated on each document that `equals` selects.
   */
  readonly where?: readonly Condition[];
  /**
   * Field to order by, then by `id`; absent: by `id`. Strings order by code point. Null precedes numbers, and
   * numbers precede strings.
   */
  readonly orderBy?: string;
  /** Reverses the whole order, `id` included. */
  readonly descending?: boolean;
  /** Number of documents to skip, and maximum number to return (1 to 1,000). */
  readonly offset?: number;
  readonly limit: number;
  /**
   * Approximate maximum of bytes of JSON to return, for documents that may be large. The result ends after the
   * document that reaches it, so it contains at least one document unless none matches.
   */
  readonly maxBytes?: number;
}

/** Entry of a document in an index. */
export interface IndexEntry {
  readonly id: string;
  /** Value of the field that the index orders by; undefined for an object or an array. */
  readonly value: Scalar | undefined;
}

/**
 * A query that is evaluated on an index alone: its conditions are on the field of `orderBy`. At most 10,000
 * entries.
 */
export interface EntryQuery extends ListQuery {
  readonly orderBy: string;
}

/**
 * A collection of documents of one kind. A document is the unit of atomicity. Every write is durable when it
 * resolves (majority-acknowledged and journalled, or synced to disk). If the store is unreachable, the error
 * is `UNAVAILABLE`; the outcome of a write is then unknown.
 */
export interface DocumentCollection<Fields extends object> {
  /**
   * Stores a new document with version 1.
   * @throws AppError `CONFLICT` if the id or a unique set is taken (`details.fields` names the set),
   * `PAYLOAD_TOO_LARGE` over 16,000,000 bytes of JSON, `VALIDATION_ERROR` for an empty id, one over 512
   * bytes, or an indexed string over 1,000 bytes
   */
  insert(id: string, fields: Fields): Promise<Document<Fields>>;

  /**
   * Stores at most 1,000 new documents in few round trips, each as `insert` does; existing documents stay
   * unchanged. Returns whether all ids were free. After a failure, some documents may be stored; a retry
   * completes the call.
   * @throws AppError as `insert`, but not for a taken id
   */
  insertMissing(documents: readonly NewDocument<Fields>[]): Promise<boolean>;

  /** Returns undefined if the document does not exist. */
  get(id: string): Promise<Document<Fields> | undefined>;

  /**
   * Returns the existing documents among at most 1,000 ids, each once and in no particular order, in one
   * round trip.
   */
  getAll(ids: readonly string[]): Promise<readonly Document<Fields>[]>;

  /**
   * As `getAll`, but bounded: returns undefined, having read little more than `maxBytes` bytes of JSON, if there are
   * several documents and they are larger together.
   */
  getAllWithin(ids: readonly string[], maxBytes: number): Promise<readonly Document<Fields>[] | undefined>;

  /** Returns the document whose unique set has these values; undefined if there is none. */
  findUnique(values: Readonly<Record<string, Scalar>>): Promise<Document<Fields> | undefined>;

  /**
   * Replaces the fields if the stored version equals `document.version`. Returns the new document, or
   * undefined if it was changed or deleted concurrently.
   * @throws AppError `CONFLICT` for a unique set, `PAYLOAD_TOO_LARGE`, `VALIDATION_ERROR` as `insert`
   */
  replace(document: Document<Fields>): Promise<Document<Fields> | undefined>;

  /**
   * Replaces at most 1,000 documents in few round trips, each as `replace` does. Returns false if any of them
   * was changed or deleted concurrently and therefore not replaced; read them again to find out which. After
   * a failure, some may be replaced.
   * @throws AppError as `replace`
   */
  replaceAll(documents: readonly Document<Fields>[]): Promise<boolean>;

  /** Deletes the document. Returns false if it did not exist. */
  delete(id: string): Promise<boolean>;

  /**
   * Deletes at most 1,000 documents in few round trips and ignores missing ids. After a failure, some may be
   * deleted.
   */
  deleteAll(ids: readonly string[]): Promise<void>;

  /** Returns the matching documents, in order. The store pages and filters, never this process. */
  list(query: ListQuery): Promise<readonly Document<Fields>[]>;

  /**
   * As `list`, but returns index entries without reading the documents.
   * @throws AppError `INTERNAL_ERROR` if a condition needs more than the index
   */
  entries(query: EntryQuery): Promise<readonly IndexEntry[]>;

  /** Returns the number of matching documents. */
  count(equals: Readonly<Record<string, Scalar>>, where?: readonly Condition[]): Promise<number>;
}

/** Store of document collections. Adapters: MongoDB, and SQLite for the standalone process. */
export interface DocumentStore {
  /** Opens a collection and creates its indexes. Idempotent, also when two processes call it concurrently. */
  collection<Fields extends object>(spec: CollectionSpec): Promise<DocumentCollection<Fields>>;

  /** Resolves if the store responds. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;

  /** Inspects the server for an operator: version and clock. @throws AppError `UNAVAILABLE` */
  inspect(): Promise<readonly Finding[]>;

  /** Idempotent. */
  close(): Promise<void>;
}
