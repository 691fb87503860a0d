import { createHash } from 'node:crypto';
import type { CollectionSpec, Document, Scalar } from '../document-store.js';
import { conditionFields, setName } from '../rules/collection-spec.js';
import { decodeDocument } from '../rules/encode-fields.js';
import { indexedValue } from '../rules/indexed-value.js';
import { uniqueKey } from '../rules/unique-key.js';

/**
 * A document as MongoDB holds it: the fields as JSON text, and beside it what is looked up. User data is never a key nor an
 * operator there, and comes back exactly as it came.
 */
export interface StoredDocument {
  readonly _id: string;
  readonly _version: number;
  readonly _json: string;
  /** Which sets of the specification the other fields were derived for. */
  readonly _sets: string;
  /** Fields of the sets and of `filtered` under their own names, and `_unique_<set>` for each unique set. */
  readonly [field: string]: Scalar | Record<string, never>;
}

export function toStored(
  spec: CollectionSpec,
  id: string,
  version: number,
  fields: object,
  json: string,
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

/** A short name for the sets and filtered fields of a specification. */
export function setsOf(spec: CollectionSpec): string {
  return createHash('sha256')
    .update(JSON.stringify([spec.unique, spec.indexes, ...(spec.filtered ? [spec.filtered] : [])]))
    .digest('base64url')
    .slice(0, 16);
}

/** An object or array leaves an empty object behind: it equals no scalar, and sorts between strings and booleans. */
function indexValue(fields: object, name: string): Scalar | Record<string, never> {
  const value = indexedValue(fields, name);
  return value === undefined ? {} : value;
}

/** Field that carries the values of a unique set as one text. Indexed fields never begin with an underscore. */
export function uniqueField(set: readonly string[]): string {
  return `_unique_${setName(set)}`;
}

/** A document that takes no part carries its id, which is unique already: a plain unique index then serves without a partial filter. */
function uniqueText(set: readonly string[], id: string, fields: object): string {
  const key = uniqueKey(set, fields);
  return key === undefined ? `id:${id}` : uniqueTextOf(key);
}

export function uniqueTextOf(key: string): string {
  return `values:${key}`;
}
