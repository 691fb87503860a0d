import type { CollectionSpec, Condition, ListQuery, Scalar } from '../document-store.js';
import { orderedSets, setName } from '../rules/collection-spec.js';
import { countingSet, coveringSet } from '../rules/covering-set.js';
import { uniqueField } from './stored-document.js';

/** An index as it is declared to MongoDB; its keys in order. */
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

/** `_id` is compared with a bare text: not every server that speaks MongoDB's protocol finds it by its index behind `$eq`. */
type Fields = Readonly<Record<string, Comparison | string>>;

/** What the adapter asks of MongoDB: a filter, an order, and the index that must serve both. */
export interface QueryStatement {
  readonly filter: Fields;
  /** Comparisons that must hold besides, each with a field of its own: a field may have several. */
  readonly and?: readonly Fields[];
  readonly sort: readonly (readonly [field: string, direction: 1 | -1])[];
  readonly index: string;
}

/** MongoDB's own index on the id, which need not be declared. */
export const ID_INDEX = '_id_';
const SETS_INDEX = '_sets';

/** One index to find what a release with other sets has written; one per set for looking up and ordering, ended by the id; and one per unique set, on the text that stands for its values. */
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

/** The document only as long as its version is this one: what makes a replacement lose nothing. */
export function versionStatement(id: string, version: number): QueryStatement {
  return { filter: { ...withId(id), ...equalTo({ _version: version }) }, sort: [], index: ID_INDEX };
}

/** Documents whose look-up fields were derived for other sets than these. */
export function reshapeStatement(sets: string): QueryStatement {
  return { filter: { _sets: { $ne: sets } }, sort: [], index: SETS_INDEX };
}

/** A text whatever is given, so that it is never read as an operator. */
function withId(id: string): Fields {
  return { _id: String(id) };
}

/** Every value behind an explicit `$eq`, so that it is compared and never read as an operator. */
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

/** An expression that no text meets. */
const NOTHING = '^\\b$';

/** The text as an expression that means the text itself. A zero byte may not stand in an expression. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\0', '\\x00');
}

function indexStatement(name: string, fields: readonly string[], unique: boolean): IndexStatement {
  return { name, key: Object.fromEntries(fields.map((field) => [field, 1 as const])), unique };
}
