import { parseExactJson } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { CollectionSpec, Document } from '../document-store.js';
import { indexedFields } from './collection-spec.js';
import { indexedValue } from './indexed-value.js';

const MAX_JSON_BYTES = 16_000_000;
const MAX_ID_BYTES = 512;
const MAX_INDEXED_BYTES = 1_000;

/**
 * Returns the fields as the JSON text that both stores keep. Text preserves every key and string (`$set`,
 * `a.b`, `__proto__`, an unpaired surrogate), some of which a store's own document format would reject or
 * change.
 * @throws AppError `PAYLOAD_TOO_LARGE` over 16,000,000 bytes, `VALIDATION_ERROR` if an indexed string is over
 * 1,000 bytes
 */
export function encodeFields(spec: CollectionSpec, fields: object): string {
  const json = JSON.stringify(fields);
  if (Buffer.byteLength(json) > MAX_JSON_BYTES) {
    throw new AppError('PAYLOAD_TOO_LARGE', `a document may have at most ${MAX_JSON_BYTES} bytes of JSON`);
  }
  const long = indexedFields(spec).find((name) => !fitsIndex(fields, name));
  if (long !== undefined) throw validationError(`${long} must be at most ${MAX_INDEXED_BYTES} bytes long`);
  return json;
}

/**
 * Only strings can be too long. One with at most a third as many UTF-16 units as the limit in bytes never is.
 */
function fitsIndex(fields: object, name: string): boolean {
  const value = indexedValue(fields, name);
  if (typeof value !== 'string' || value.length <= MAX_INDEXED_BYTES / 3) return true;
  return Buffer.byteLength(value) <= MAX_INDEXED_BYTES;
}

/** Returns the document of a stored JSON text. */
export function decodeDocument<Fields extends object>(
  id: string,
  version: number,
  json: string,
): Document<Fields> {
  return Object.assign(parseExactJson(json) as Fields, { id, version });
}

export function documentOf<Fields extends object>(
  id: string,
  version: number,
  fields: Fields,
): Document<Fields> {
  return { ...fields, id, version };
}

/** Returns the fields of a document without those that the store adds. */
export function fieldsOf<Fields extends object>(document: Document<Fields>): object {
  const { id: _id, version: _version, ...fields } = document;
  return fields;
}

/** Returns whether an id is valid: 1 to 512 bytes. No document has another id. */
export function isStorableId(id: string): boolean {
  return id !== '' && Buffer.byteLength(id) <= MAX_ID_BYTES;
}

/** @throws AppError `VALIDATION_ERROR` */
export function checkId(id: string): void {
  if (!isStorableId(id)) throw validationError(`id must be 1 to ${MAX_ID_BYTES} bytes long`);
}

/** @throws AppError `CONFLICT`, whose `details.fields` names the set */
export function conflict(spec: CollectionSpec, set: readonly string[]): AppError {
  return new AppError('CONFLICT', `another document of ${spec.name} has the same ${set.join(', ')}`, {
    details: { fields: set.join(',') },
  });
}
