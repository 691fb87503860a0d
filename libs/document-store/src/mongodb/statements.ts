import type { CollectionSpec, Condition, ListQuery, Scalar } from '../document-store.js';
import { orderedSets, setName } from '../rules/collection-spec.js';
import { countingSet, coveringSet } from '../rules/covering-set.js';
import { uniqueField } from './stored-document.js';

/** An index as declared to MongoDB, with its keys in order. */
export interface IndexStatement {
  readonly name: string;
  readonly key: Readonly<Record<string, 1>>;
  readonly unique: boolean;
}

type Comparison =
  | { readonly $eq: Scalar }
  | { readonly $ne: string }
  | { readonly $in: readonly Scalar[] }
  | { readonly $gte?: string | number; readonly $lte?: string | number }
  | { readonly $regex: string };

/** `_id` is compared with a plain text: not every server with MongoDB's protocol uses its index for `$eq`. */
type Fields = Readonly<Record<string, Comparison | string>>;

/** A query to MongoDB: a filter, an order, and the index that must serve both. */
export interface QueryStatement {
  readonly filter: Fields;
  /** Additional comparisons. They are a list because a field may have several. */
  readonly and?: readonly Fields[];
  readonly sort: readonly (readonly [field: string, direction: 1 | -1])[];
  readonly index: string;
}

/** MongoDB's own index on the id, which is not declared. */
export const ID_INDEX = '_id_';
const SETS_INDEX = '_sets';

/**
 * Returns the indexes of a collection: one to find documents written under other sets; one per set for
 * look-ups and ordering, ending with the id; and one per unique set, on the text of its values.
 */
export function indexesOf(spec: CollectionSpec): readonly IndexStatement[] {
  const ordered = orderedSets(spec).map((set) => indexStatement(setName(set), [...set, '_id'], false));
  const unique = spec.unique.map((set) => indexStatement(uniqueField(set), [uniqueField(set)], true));
  return [indexStatement(SETS_INDEX, ['_sets'], false), ...ordered, ...unique];
}

export function listStatement(spec: CollectionSpec, query: ListQuery): QueryStatement {
  const { equals, where = [], orderBy, descending = false } = query;
  const set = coveringSet(spec, equals, orderBy);
  const direction = descending ? -1 : 1;
  const order =
    orderBy === undefined || Object.hasOwn(equals, orderBy) ? [] : [[orderBy, direction] as const];
  const sort = [...order, ['_id', direction] as const];
  return { filter: equalTo(equals), ...conditions(where), sort, index: set ? setName(set) : ID_INDEX };
}

export function countStatement(
  spec: CollectionSpec,
  equals: Readonly<Record<string, Scalar>>,
  where: readonly Condition[] = [],
): QueryStatement {
  const set = countingSet(spec, equals, where);
  return { filter: equalTo(equals), ...conditions(where), sort: [], index: set ? setName(set) : ID_INDEX };
}

export function uniqueStatement(set: readonly string[], text: string): QueryStatement {
  return { filter: equalTo({ [uniqueField(set)]: text }), sort: [], index: uniqueField(set) };
}

export function idStatement(id: string): QueryStatement {
  return { filter: withId(id), sort: [], index: ID_INDEX };
}

/** Selects the document only in this version, so that a replacement loses no concurrent update. */
export function versionStatement(id: string, version: number): QueryStatement {
  return { filter: { ...withId(id), ...equalTo({ _version: version }) }, sort: [], index: ID_INDEX };
}

/** Selects documents whose look-up fields were computed for other sets. */
export function reshapeStatement(sets: string): QueryStatement {
  return { filter: { _sets: { $ne: sets } }, sort: [], index: SETS_INDEX };
}

/** Converts any value to text, so that it is never read as an operator. */
function withId(id: string): Fields {
  return { _id: String(id) };
}

/** Wraps every value in an explicit `$eq`, so that it is compared and never read as an operator. */
function equalTo(equals: Readonly<Record<string, Scalar>>): Fields {
  return Object.fromEntries(Object.entries(equals).map(([field, value]) => [field, { $eq: value }]));
}

function conditions(where: readonly Condition[]): { and?: readonly Fields[] } {
  return where.length === 0
    ? {}
    : { and: where.map((condition) => ({ [condition.field]: comparison(condition) })) };
}

function comparison(condition: Condition): Comparison {
  if ('in' in condition) return { $in: condition.in };
  if ('containsAny' in condition)
    return {
      $regex: condition.containsAny.length === 0 ? NOTHING : condition.containsAny.map(literal).join('|'),
    };
  const { from, to } = condition;
  return { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) };
}

/** An expression that no text matches. */
const NOTHING = '^\\b$';

/** Returns an expression that matches the text literally. An expression must not contain a zero byte. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\0', '\\x00');
}

function indexStatement(name: string, fields: readonly string[], unique: boolean): IndexStatement {
  return { name, key: Object.fromEntries(fields.map((field) => [field, 1 as const])), unique };
}
