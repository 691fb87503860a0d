import { AppError } from '@assay/errors';
import type { CollectionSpec } from '../document-store.js';

const COLLECTION_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const FIELD_NAME = /^[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/;

/**
 * Rejects a specification with names that a store could misinterpret: a field name has no dot and no `$`, and
 * does not begin with an underscore, which marks the stores' own fields.
 * @throws AppError `INTERNAL_ERROR`: a specification is written by a programmer, never by a user
 */
export function checkSpec(spec: CollectionSpec): void {
  if (!COLLECTION_NAME.test(spec.name))
    throw new AppError(
      'INTERNAL_ERROR',
      `collection name ${spec.name} must be lower-case words joined by underscores`,
    );
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

/** Cached, because every write of a document needs it. */
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

/** Returns the sets that documents can be listed by: `unique` and `indexes`, without duplicates. */
export function orderedSets(spec: CollectionSpec): readonly (readonly string[])[] {
  return derivedOf(spec).sets;
}

/** Returns the fields of all sets, without duplicates. */
export function indexedFields(spec: CollectionSpec): readonly string[] {
  return derivedOf(spec).indexed;
}

/** Returns the fields that a condition may name, without duplicates. */
export function conditionFields(spec: CollectionSpec): readonly string[] {
  return derivedOf(spec).conditions;
}

/**
 * Returns the name of a set. Field names contain no double underscore, so different sets have different
 * names.
 */
export function setName(fields: readonly string[]): string {
  return fields.join('__');
}
