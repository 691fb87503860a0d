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
  if (!COLLECTION_NAME.test(spec.name))
    throw new AppError('INTERNAL_ERROR', `collection name ${spec.name} is not lower-case words`);
  const fields = [...spec.unique, ...spec.indexes, spec.filtered ?? []].flat();
  const wrong = fields.find((field) => !FIELD_NAME.test(field) || field === 'id' || field === 'version');
  if (wrong !== undefined)
    throw new AppError('INTERNAL_ERROR', `field ${wrong} of collection ${spec.name} cannot be indexed`);
}

interface Derived {
  readonly sets: readonly (readonly string[])[];
  readonly indexed: readonly string[];
  readonly conditions: readonly string[];
}

/** Needed for every document that is written, and always the same. */
const derived = new WeakMap<CollectionSpec, Derived>();

function derivedOf(spec: CollectionSpec): Derived {
  const known = derived.get(spec);
  if (known) return known;
  const byName = new Map([...spec.unique, ...spec.indexes].map((fields) => [setName(fields), fields]));
  const indexed = [...new Set([...spec.unique, ...spec.indexes].flat())];
  const made = {
    sets: [...byName.values()],
    indexed,
    conditions: [...new Set([...indexed, ...(spec.filtered ?? [])])],
  };
  derived.set(spec, made);
  return made;
}

/** The sets of fields that documents are listed by: `unique` and `indexes`, each set once. */
export function orderedSets(spec: CollectionSpec): readonly (readonly string[])[] {
  return derivedOf(spec).sets;
}

/** The fields that take part in some set, each once. */
export function indexedFields(spec: CollectionSpec): readonly string[] {
  return derivedOf(spec).indexed;
}

/** The fields that a condition may name, each once. */
export function conditionFields(spec: CollectionSpec): readonly string[] {
  return derivedOf(spec).conditions;
}

/** Field names hold no double underscore, so two different sets never share a name. */
export function setName(fields: readonly string[]): string {
  return fields.join('__');
}
