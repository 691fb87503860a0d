import { AppError, validationError } from '@assay/errors';
import type { CollectionSpec, Condition, EntryQuery, ListQuery, Scalar } from '../document-store.js';
import { asScalar } from './indexed-value.js';
import { conditionFields, setName } from './collection-spec.js';
import { narrows } from './covering-set.js';

const MAX_LISTED = 1_000;
const MAX_ENTRIES = 10_000;
const MAX_VALUES = 1_000;

/** @throws AppError `VALIDATION_ERROR` if `limit` or `offset` is out of bounds, or a value is an object */
export function checkListQuery(query: ListQuery, mostListed = MAX_LISTED): void {
  const { limit, offset = 0 } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed) {
    throw validationError(`limit must be an integer from 1 to ${mostListed}`);
  }
  if (!Number.isInteger(offset) || offset < 0) throw validationError('offset must be a non-negative integer');
  checkScalars(query.equals);
}

/** @throws AppError as {@link checkListQuery}, `INTERNAL_ERROR` if an index alone cannot evaluate it */
export function checkEntryQuery(query: EntryQuery): void {
  checkListQuery(query, MAX_ENTRIES);
  const { orderBy, equals, where = [] } = query;
  if (
    where.length > 1 ||
    Object.hasOwn(equals, orderBy) ||
    !where.every((condition) => narrows(condition, orderBy))
  )
    throw new AppError('INTERNAL_ERROR', 'entries accepts at most one condition, on the field of orderBy');
}

/**
 * @throws AppError `VALIDATION_ERROR` if a value is an object, which a store could interpret as an operator
 */
export function checkScalars(equals: Readonly<Record<string, Scalar>>): void {
  for (const [field, value] of Object.entries(equals)) {
    if (asScalar(value) === undefined)
      throw validationError(`${field} must be compared with a string, number, boolean or null`);
  }
}

/**
 * @throws AppError `VALIDATION_ERROR` if a value is an object or there are too many, `INTERNAL_ERROR` for an
 * undeclared field
 */
export function checkConditions(spec: CollectionSpec, where: readonly Condition[]): void {
  for (const condition of where) {
    const { field } = condition;
    if (!conditionFields(spec).includes(field))
      throw new AppError('INTERNAL_ERROR', `collection ${spec.name} cannot be filtered by ${field}`);
    const values = valuesOf(condition);
    if (values.length > MAX_VALUES)
      throw validationError(`${field} must be compared with at most ${MAX_VALUES} values`);
    if (values.some((value) => asScalar(value) === undefined))
      throw validationError(`${field} must be compared with plain values`);
  }
}

function valuesOf(condition: Condition): readonly unknown[] {
  if ('in' in condition) return condition.in;
  if ('containsAny' in condition) return condition.containsAny;
  return [condition.from, condition.to].filter((bound) => bound !== undefined);
}

/** @throws AppError `VALIDATION_ERROR` */
export function checkBulk(items: readonly unknown[]): void {
  if (items.length > MAX_LISTED)
    throw validationError(`at most ${MAX_LISTED} documents can be read or written in one call`);
}

/**
 * Returns the declared unique set with exactly these fields.
 * @throws AppError `INTERNAL_ERROR` if there is none
 */
export function uniqueSetOf(
  spec: CollectionSpec,
  values: Readonly<Record<string, Scalar>>,
): readonly string[] {
  const wanted = setName(Object.keys(values).sort());
  const found = spec.unique.find((set) => setName([...set].sort()) === wanted);
  if (!found)
    throw new AppError(
      'INTERNAL_ERROR',
      `collection ${spec.name} has no unique set of ${Object.keys(values).join(', ')}`,
    );
  return found;
}
