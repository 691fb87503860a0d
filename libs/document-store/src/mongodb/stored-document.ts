import { createHash } from 'node:crypto';
import type { CollectionSpec, Document, Scalar } from '../document-store.js';
import { conditionFields, setName } from '../rules/collection-spec.js';
import { decodeDocument } from '../rules/encode-fields.js';
import { indexedValue } from '../rules/indexed-value.js';
import { uniqueKey } from '../rules/unique-key.js';

/**
 * A document as stored in MongoDB: the fields as JSON text, and the look-up fields. User data is never a key
 * or an operator, and is returned unchanged.
 */
export interface StoredDocument {
  readonly _id: string;
  readonly _version: number;
  readonly _json: string;
  /** Fingerprint of the sets for which the look-up fields were computed. */
  readonly _sets: string;
  /**
   * Look-up fields: those of the sets and of `filtered` under their own names, and `_unique_<set>` for each
   * unique set.
   */
  readonly [field: string]: Scalar | Record<string, never>;
}

/** Content of a document, with its fields also as JSON text. */
interface DocumentContent {
  readonly id: string;
  readonly version: number;
  readonly fields: object;
  readonly json: string;
}

export function toStored(
  spec: CollectionSpec,
  { id, version, fields, json }: DocumentContent,
): StoredDocument {
  const indexed = conditionFields(spec).map((name) => [name, indexValue(fields, name)] as const);
  const unique = spec.unique.map((set) => [uniqueField(set), uniqueText(set, id, fields)] as const);
  return {
    ...Object.fromEntries([...indexed, ...unique]),
    _id: id,
    _version: version,
    _json: json,
    _sets: setsOf(spec),
  };
}

export function fromStored<Fields extends object>(
  stored: Pick<StoredDocument, '_id' | '_version' | '_json'>,
): Document<Fields> {
  return decodeDocument<Fields>(stored._id, stored._version, stored._json);
}

/** Returns a fingerprint of the sets and filtered fields of a specification. */
export function setsOf(spec: CollectionSpec): string {
  return createHash('sha256')
    .update(JSON.stringify([spec.unique, spec.indexes, ...(spec.filtered ? [spec.filtered] : [])]))
    .digest('base64url')
    .slice(0, 16);
}

/**
 * Returns the look-up value of a field. An object or array becomes an empty object, which equals no scalar
 * and sorts between strings and booleans.
 */
function indexValue(fields: object, name: string): Scalar | Record<string, never> {
  const value = indexedValue(fields, name);
  return value === undefined ? {} : value;
}

/**
 * Returns the field that holds the values of a unique set as one text. Indexed fields never begin with an
 * underscore.
 */
export function uniqueField(set: readonly string[]): string {
  return `_unique_${setName(set)}`;
}

/**
 * Returns the text of a unique set. A document that lacks one of the fields gets its id, which is unique, so
 * that a plain unique index suffices.
 */
function uniqueText(set: readonly string[], id: string, fields: object): string {
  const key = uniqueKey(set, fields);
  return key === undefined ? `id:${id}` : uniqueTextOf(key);
}

export function uniqueTextOf(key: string): string {
  return `values:${key}`;
}
