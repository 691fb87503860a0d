import { AppError } from '@assay/errors';
import type { CollectionSpec } from '../document-store.js';

const COLLECTION_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const FIELD_NAME = /^[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/;

/**
 * Refuses a specification whose names could be taken for something else by a store: a field name has no dot, no `$` and no
 * underscore at the start, where the stores keep fields of their own.
 * @throws AppError `INTERNAL_ERROR`: a specification is written by a programmer, never by a user
 */
export function checkSpec(spec: CollectionSpec): void {
  if (!COLLECTION_NAME.test(spec.name)) throw new AppError('INTERNAL_ERROR', `collection name ${spec.name} is not lower-case words`);
  const fields = [...spec.unique, ...spec.indexes, spec.filtered ?? []].flat();
  const wrong = fields.find((field) => !FIELD_NAME.test(field) || field === 'id' || field === 'version');
  if (wrong !== undefined) throw new AppError('INTERNAL_ERROR', `field ${wrong} of collection ${spec.name} cannot be indexed`);
}

/** The sets of fields that documents are listed by: `unique` and `indexes`, each set once. */
export function orderedSets(spec: CollectionSpec): readonly (readonly string[])[] {
  const byName = new Map([...spec.unique, ...spec.indexes].map((fields) => [setName(fields), fields]));
  return [...byName.values()];
}

/** The fields that take part in some set, each once. */
export function indexedFields(spec: CollectionSpec): readonly string[] {
  return [...new Set([...spec.unique, ...spec.indexes].flat())];
}

/** The fields that a condition may name, each once. */
export function conditionFields(spec: CollectionSpec): readonly string[] {
  return [...new Set([...indexedFields(spec), ...(spec.filtered ?? [])])];
}

/** Field names hold no double underscore, so two different sets never share a name. */
export function setName(fields: readonly string[]): string {
  return fields.join('__');
}
