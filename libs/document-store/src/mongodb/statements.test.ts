import type { CollectionSpec, ListQuery, Scalar } from '../document-store.js';
import {
  countStatement,
  ID_INDEX,
  idStatement,
  indexesOf,
  listStatement,
  type QueryStatement,
  reshapeStatement,
  uniqueStatement,
  versionStatement,
} from './statements.js';

const spec: CollectionSpec = {
  name: 'books',
  unique: [['project_id', 'name']],
  indexes: [['project_id', 'shelf', 'pages'], ['project_id'], ['pages']],
};

const list = (equals: Record<string, Scalar>, more: Partial<ListQuery> = {}) =>
  listStatement(spec, { equals, limit: 10, ...more });

/** Every type of statement that the adapter sends. */
const statements: Record<string, QueryStatement> = {
  'by id': idStatement('b1'),
  'by id and version': versionStatement('b1', 3),
  'by unique set': uniqueStatement(['project_id', 'name'], 'values:x'),
  'of other sets': reshapeStatement('x'),
  'all, by id': list({}),
  'all, by field, turned round': list({}, { orderBy: 'pages', descending: true }),
  'by one field': list({ project_id: 'p' }),
  'by one field, ordered by a unique one': list({ project_id: 'p' }, { orderBy: 'name' }),
  'by two fields in another order, ordered': list({ shelf: 's', project_id: 'p' }, { orderBy: 'pages' }),
  'by all fields of a set': list({ pages: 1, shelf: 's', project_id: 'p' }, { descending: true }),
  'ordered by a field that is fixed': list({ project_id: 'p' }, { orderBy: 'project_id' }),
  'count of all': countStatement(spec, {}),
  'count of a set': countStatement(spec, { project_id: 'p' }),
  'count of the beginning of a set': countStatement(spec, { project_id: 'p', shelf: 's' }),
};

/**
 * MongoDB's rule for index use: equality on the first fields, then the sort fields in the same or in the
 * opposite direction.
 */
function serves(keys: readonly string[], { filter, sort }: QueryStatement): boolean {
  const equal = Object.keys(filter).filter((field) => field !== '_version');
  const leading = keys.slice(0, equal.length);
  if (!equal.every((field) => leading.includes(field))) return false;
  const order = keys.slice(equal.length, equal.length + sort.length);
  const directions = new Set(sort.map(([, direction]) => direction));
  return directions.size <= 1 && sort.every(([field], n) => order[n] === field || equal.includes(field));
}

describe('the statements of the MongoDB adapter', () => {
  const keysOf = new Map<string, readonly string[]>([
    [ID_INDEX, ['_id']],
    ...indexesOf(spec).map(({ name, key }): [string, readonly string[]] => [name, Object.keys(key)]),
  ]);

  it.each(Object.entries(statements))('%s: use a declared index', (_name, statement) => {
    const keys = keysOf.get(statement.index);
    expect(keys).toBeDefined();
    expect(serves(keys ?? [], statement)).toBe(true);
  });

  it.each(Object.entries(statements))(
    '%s: compare values and use no other operator on user data',
    (_name, { filter }) => {
      for (const [field, condition] of Object.entries(filter)) {
        if (field === '_id') expect(condition).toBe('b1');
        else expect(Object.keys(condition)).toEqual([field === '_sets' ? '$ne' : '$eq']);
      }
    },
  );

  it('treat an id as text even if it is not a string', () => {
    const operator = JSON.parse('{"$ne":null}') as string;
    for (const { filter } of [idStatement(operator), versionStatement(operator, 1)])
      expect(filter._id).toBe('[object Object]');
  });

  it('declare one unique index per unique set, on a field that every document has', () => {
    expect(indexesOf(spec).filter(({ unique }) => unique)).toEqual([
      { name: '_unique_project_id__name', key: { _unique_project_id__name: 1 }, unique: true },
    ]);
  });
});
