import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as stores from '../src/index.js';
import type { CollectionSpec, DocumentCollection, DocumentStore, ListQuery, Scalar } from '../src/index.js';

/**
 * How to open the store under test, in this process and in a child process: an exported function of the
 * package and its options.
 */
export interface StoreUnderTest {
  readonly opener: 'openEmbeddedDocumentStore' | 'openMongoDocumentStore';
  readonly options: { dir: string; url: string; database: string };
}

interface Book {
  project_id?: string | null;
  name?: unknown;
  pages?: unknown;
  extra?: unknown;
}

/** Contract of every adapter. The store of `underTest` must be empty and not shared with other tests. */
export function describeDocumentStore(title: string, underTest: () => StoreUnderTest): void {
  const open = (): Promise<DocumentStore> => stores[underTest().opener](underTest().options);
  let store: DocumentStore;
  let collections = 0;
  const newSpec = (): CollectionSpec => ({
    name: `books_${++collections}`,
    unique: [['project_id', 'name']],
    indexes: [['project_id', 'pages'], ['project_id'], ['pages']],
  });
  const newBooks = (): Promise<DocumentCollection<Book>> => store.collection<Book>(newSpec());
  const namesOf = async (books: DocumentCollection<Book>, query: ListQuery) =>
    (await books.list(query)).map(({ id }) => id);

  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  describe(`${title}: one document`, () => {
    it('is returned unchanged, with version 1', async () => {
      const books = await newBooks();
      const inserted = await books.insert('b1', { project_id: 'p', name: 'Ulysses', pages: 730 });
      expect(inserted).toEqual({ id: 'b1', version: 1, project_id: 'p', name: 'Ulysses', pages: 730 });
      expect(await books.get('b1')).toEqual(inserted);
    });

    it('is undefined if it does not exist, also for ids that no document can have', async () => {
      const books = await newBooks();
      for (const id of ['absent', '', 'x'.repeat(5_000), '\0', '$where', '__proto__']) {
        expect(await books.get(id)).toBeUndefined();
        expect(await books.delete(id)).toBe(false);
      }
    });

    it('is replaced if its version is unchanged, and its version increases', async () => {
      const books = await newBooks();
      const first = await books.insert('b1', { name: 'a', pages: 1 });
      const second = await books.replace({ ...first, pages: 2 });
      expect(second).toEqual({ id: 'b1', version: 2, name: 'a', pages: 2 });
      expect(await books.replace({ ...first, pages: 3 })).toBeUndefined();
      expect(await books.get('b1')).toEqual(second);
    });

    it('is not restored by a replacement after its deletion', async () => {
      const books = await newBooks();
      const first = await books.insert('b1', { name: 'a' });
      expect(await books.delete('b1')).toBe(true);
      expect(await books.replace(first)).toBeUndefined();
      expect(await books.get('b1')).toBeUndefined();
      expect(await books.delete('b1')).toBe(false);
    });

    it('accepts a body up to the limit and rejects one above it', async () => {
      const books = await newBooks();
      const text = 'x'.repeat(15_999_000);
      await books.insert('large', { extra: text });
      expect((await books.get('large'))?.extra).toHaveLength(text.length);
      await expect(books.insert('over', { extra: 'é'.repeat(8_000_000) })).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
      });
      expect(await books.get('over')).toBeUndefined();
    });

    it('rejects an id or an indexed string that is too long for an index, naming it', async () => {
      const books = await newBooks();
      await expect(books.insert('', {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(books.insert('x'.repeat(513), {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(books.insert('b', { name: 'x'.repeat(1_001) })).rejects.toMatchObject({
        message: 'name must be at most 1000 bytes long',
      });
      await expect(books.insert('x'.repeat(512), { name: 'x'.repeat(1_000) })).resolves.toMatchObject({
        version: 1,
      });
    });
  });

  describe(`${title}: user data`, () => {
    const hostile = JSON.parse(`{
      "$set": {"a": 1}, "a.b": {"c.d": 2}, "$where": "1", "": "empty", "__proto__": {"polluted": true}, "constructor": {"prototype": 1},
      "_id": "x", "clé": "é😀\\u2028", "half": "\\ud800", "nul": "a\\u0000b", "toJSON": null, "list": [null, [[]], {}], "big": 9007199254740991, "small": 1e-320
    }`) as object;

    it('keeps every key and value of a free object, in order', async () => {
      const books = await newBooks();
      await books.insert('b1', { extra: hostile });
      const found = await books.get('b1');
      expect(JSON.stringify(found?.extra)).toBe(JSON.stringify(hostile));
      expect(Object.hasOwn(found?.extra ?? {}, '__proto__')).toBe(true);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      const replaced = found && (await books.replace({ ...found, pages: 1 }));
      expect(JSON.stringify(replaced?.extra)).toBe(JSON.stringify(hostile));
    });

    it('keeps such keys at the top level of a document', async () => {
      const books = await store.collection<object>(newSpec());
      await books.insert('b1', hostile);
      const { id, version, ...fields } = (await books.get('b1')) ?? { id: '', version: 0 };
      expect([id, version, JSON.stringify(fields)]).toEqual(['b1', 1, JSON.stringify(hostile)]);
    });

    it('is compared as data: a value that looks like an operator matches only itself', async () => {
      const books = await newBooks();
      await books.insert('b1', { project_id: 'p', name: '$ne' });
      await books.insert('b2', { project_id: "p' OR 1=1 --", name: 'x' });
      expect(await namesOf(books, { equals: { project_id: "p' OR 1=1 --" }, limit: 10 })).toEqual(['b2']);
      const operator = { project_id: { $ne: null } } as unknown;
      await expect(
        books.list({ equals: operator as Record<string, Scalar>, limit: 10 }),
      ).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      await expect(books.count(operator as Record<string, Scalar>)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      const both = { project_id: 'p', name: { $gt: '' } } as unknown;
      await expect(books.findUnique(both as Record<string, Scalar>)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    it('distinguishes a number from its text, and a list from its members', async () => {
      const books = await newBooks();
      await books.insert('number', { project_id: 'p', pages: 1 });
      await books.insert('text', { project_id: 'p', pages: '1' });
      await books.insert('array', { project_id: 'p', pages: [1] });
      expect(await namesOf(books, { equals: { pages: 1 }, limit: 10 })).toEqual(['number']);
      expect(await namesOf(books, { equals: { pages: '1' }, limit: 10 })).toEqual(['text']);
    });
  });

  describe(`${title}: unique sets`, () => {
    it('reject a second document and name the fields', async () => {
      const books = await newBooks();
      await books.insert('b1', { project_id: 'p', name: 'a' });
      const second = books.insert('b2', { project_id: 'p', name: 'a' });
      await expect(second).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { fields: 'project_id,name' },
      });
      await expect(second).rejects.not.toThrow(/"a"/);
      expect(await books.get('b2')).toBeUndefined();
      await expect(books.insert('b1', { project_id: 'p', name: 'b' })).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { fields: 'id' },
      });
    });

    it('apply to replacements, and release a value that a document no longer has', async () => {
      const books = await newBooks();
      const first = await books.insert('b1', { project_id: 'p', name: 'a' });
      const second = await books.insert('b2', { project_id: 'p', name: 'b' });
      await expect(books.replace({ ...second, name: 'a' })).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await books.get('b2')).toEqual(second);
      await books.replace({ ...first, name: 'c' });
      expect(await books.replace({ ...second, name: 'a' })).toMatchObject({ version: 2 });
      await books.delete('b2');
      await expect(books.insert('b3', { project_id: 'p', name: 'a' })).resolves.toMatchObject({ id: 'b3' });
    });

    it('accept exactly one of many concurrent inserts', async () => {
      const books = await newBooks();
      const ids = Array.from({ length: 20 }, (_, n) => `b${n}`);
      const outcomes = await Promise.allSettled(
        ids.map((id) => books.insert(id, { project_id: 'p', name: 'same' })),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const codes = outcomes.flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
      );
      expect(new Set(codes)).toEqual(new Set(['CONFLICT']));
      expect(await books.count({ project_id: 'p' })).toBe(1);
    });

    it('ignore documents that lack one of the fields', async () => {
      const books = await newBooks();
      await books.insert('b1', { project_id: 'p' });
      await books.insert('b2', { project_id: 'p' });
      await books.insert('b3', { name: 'n', project_id: undefined });
      await books.insert('b4', { name: 'n' });
      expect(await books.findUnique({ project_id: 'p', name: null })).toBeUndefined();
      expect(await books.count({})).toBe(4);
    });

    it('find a document, in any order of the fields', async () => {
      const books = await newBooks();
      await books.insert('b1', { project_id: 'p', name: 'a' });
      const found = await books.findUnique({ name: 'a', project_id: 'p' });
      expect(found?.id).toBe('b1');
      expect(await books.findUnique({ name: 'b', project_id: 'p' })).toBeUndefined();
    });
  });

  describe(`${title}: concurrent writers`, () => {
    it('lose no update if each replaces the version that it has read', async () => {
      const books = await newBooks();
      await books.insert('counter', { pages: 0 });
      const addOne = async (): Promise<void> => {
        const read = await books.get('counter');
        if (read && !(await books.replace({ ...read, pages: (read.pages as number) + 1 }))) return addOne();
      };
      await Promise.all(
        Array.from({ length: 12 }, async () => {
          for (let n = 0; n < 5; n++) await addOne();
        }),
      );
      expect(await books.get('counter')).toMatchObject({ pages: 60, version: 61 });
    });
  });

  describe(`${title}: lists`, () => {
    const shelve = async (books: DocumentCollection<Book>, pages: readonly unknown[]) => {
      for (const [n, value] of pages.entries())
        await books.insert(`b${n}`, { project_id: 'p', pages: value });
    };

    it('order strings by code point, then by id', async () => {
      const books = await newBooks();
      await shelve(books, ['z', 'a', '\u{1F600}', '\uFFFD', 'B', 'é', '', 'a\0b', 'a', 'ab']);
      const query = { equals: { project_id: 'p' }, orderBy: 'pages', limit: 100 };
      expect(await namesOf(books, query)).toEqual([
        'b6',
        'b4',
        'b1',
        'b8',
        'b7',
        'b9',
        'b0',
        'b5',
        'b3',
        'b2',
      ]);
      const reversed = await namesOf(books, { ...query, descending: true });
      expect(reversed).toEqual(['b2', 'b3', 'b5', 'b0', 'b9', 'b7', 'b8', 'b1', 'b4', 'b6']);
    });

    it('order numbers by value, and types as null, number, string, object, boolean', async () => {
      const books = await newBooks();
      await shelve(books, [true, { a: 1 }, 'text', 10, -1.5, 9, -1e300, 0, undefined, false, 1e-3]);
      const order = ['b8', 'b6', 'b4', 'b7', 'b10', 'b5', 'b3', 'b2', 'b1', 'b9', 'b0'];
      expect(await namesOf(books, { equals: {}, orderBy: 'pages', limit: 100 })).toEqual(order);
    });

    it('skip and return the requested number of documents', async () => {
      const books = await newBooks();
      await shelve(
        books,
        Array.from({ length: 25 }, (_, n) => n),
      );
      const page = (offset: number, limit: number) =>
        namesOf(books, { equals: { project_id: 'p' }, orderBy: 'pages', offset, limit });
      expect(await page(0, 3)).toEqual(['b0', 'b1', 'b2']);
      expect(await page(23, 10)).toEqual(['b23', 'b24']);
      expect(await page(25, 10)).toEqual([]);
      expect(await namesOf(books, { equals: {}, limit: 2, offset: 1 })).toEqual(['b1', 'b10']);
      expect(await namesOf(books, { equals: {}, limit: 2, descending: true })).toEqual(['b9', 'b8']);
    });

    it('contain only matching documents, also after changes and deletions', async () => {
      const books = await newBooks();
      await shelve(books, [1, 2, 3]);
      await books.insert('other', { project_id: 'q', pages: 1 });
      const moved = await books.get('b1');
      if (moved) await books.replace({ ...moved, project_id: 'q' });
      await books.delete('b2');
      expect(await namesOf(books, { equals: { project_id: 'p' }, limit: 10 })).toEqual(['b0']);
      expect(await namesOf(books, { equals: { project_id: 'q' }, orderBy: 'pages', limit: 10 })).toEqual([
        'other',
        'b1',
      ]);
      expect(await namesOf(books, { equals: { project_id: 'q', pages: 2 }, limit: 10 })).toEqual(['b1']);
      expect(
        await Promise.all([books.count({ project_id: 'q' }), books.count({ pages: 1 }), books.count({})]),
      ).toEqual([2, 2, 3]);
    });

    it('treat an absent field as null', async () => {
      const books = await newBooks();
      await books.insert('b1', {});
      await books.insert('b2', { project_id: null });
      await books.insert('b3', { project_id: 'p' });
      expect(await namesOf(books, { equals: { project_id: null }, limit: 10 })).toEqual(['b1', 'b2']);
    });

    it('reject a query that no declared set covers, and a limit out of bounds', async () => {
      const books = await newBooks();
      await expect(books.list({ equals: { name: 'a' }, limit: 1 })).rejects.toMatchObject({
        code: 'INTERNAL_ERROR',
      });
      await expect(books.list({ equals: {}, orderBy: 'name', limit: 1 })).rejects.toMatchObject({
        code: 'INTERNAL_ERROR',
      });
      await expect(books.count({ extra: 'a' })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
      for (const limit of [0, 1_001, 1.5, NaN]) {
        await expect(books.list({ equals: {}, limit })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      }
    });
  });

  describe(`${title}: bulk operations`, () => {
    const many = (count: number, pages = 1) =>
      Array.from({ length: count }, (_, n) => ({
        id: `b${n}`,
        fields: { project_id: 'p', name: `n${n}`, pages },
      }));

    it('insert new documents and leave existing ones unchanged', async () => {
      const books = await newBooks();
      expect(await books.insertMissing(many(3))).toBe(true);
      expect(await books.insertMissing(many(1_000, 2))).toBe(false);
      expect(await books.count({ project_id: 'p' })).toBe(1_000);
      expect(await books.count({ project_id: 'p', pages: 1 })).toBe(3);
      expect(await books.get('b999')).toEqual({
        id: 'b999',
        version: 1,
        project_id: 'p',
        name: 'n999',
        pages: 2,
      });
      await expect(books.insertMissing([])).resolves.toBe(true);
    });

    it('reject inserts with a taken unique set, too many documents or an invalid id', async () => {
      const books = await newBooks();
      await books.insert('first', { project_id: 'p', name: 'n1' });
      await expect(books.insertMissing(many(3))).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { fields: 'project_id,name' },
      });
      await expect(books.insertMissing(many(1_001))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(books.insertMissing([{ id: '', fields: {} }])).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    it('find documents by their ids, each once', async () => {
      const books = await newBooks();
      await books.insertMissing(many(5));
      const found = await books.getAll(['b3', 'absent', '', 'x'.repeat(5_000), 'b1', 'b3']);
      expect(new Map(found.map((one) => [one.id, one]))).toEqual(
        new Map([...(await both(books, 'b1', 'b3'))].map((one) => [one.id, one])),
      );
      expect(found).toHaveLength(2);
      expect(await books.getAll([])).toEqual([]);
      await expect(books.getAll(many(1_001).map(({ id }) => id))).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    it('replace the documents without a concurrent change', async () => {
      const books = await newBooks();
      await books.insertMissing(many(4));
      const read = await both(books, 'b0', 'b1', 'b2');
      expect(await books.replaceAll(read.map((one) => ({ ...one, pages: 2 })))).toBe(true);
      expect(await books.count({ project_id: 'p', pages: 2 })).toBe(3);
      await books.delete('b2');
      const third = (await both(books, 'b0', 'b1', 'b3')).map((one) => ({ ...one, pages: 3 }));
      await books.replace({ ...third[1]!, pages: 9 });
      expect(await books.replaceAll([...third, { ...read[2]!, pages: 3 }])).toBe(false);
      expect(await both(books, 'b0', 'b1', 'b3')).toEqual([
        { ...third[0], version: 3 },
        { ...third[1], version: 3, pages: 9 },
        { ...third[2], version: 2 },
      ]);
      expect(await namesOf(books, { equals: { project_id: 'p' }, orderBy: 'pages', limit: 10 })).toEqual([
        'b0',
        'b3',
        'b1',
      ]);
      expect(await books.replaceAll([])).toBe(true);
    });

    it('reject a replacement that breaks a unique set', async () => {
      const books = await newBooks();
      await books.insertMissing(many(3));
      const [first, second] = await both(books, 'b0', 'b1');
      const taken = books.replaceAll([
        { ...first!, name: 'free' },
        { ...second!, name: 'n2' },
      ]);
      await expect(taken).rejects.toMatchObject({ code: 'CONFLICT', details: { fields: 'project_id,name' } });
      expect(await books.get('b1')).toEqual(second);
    });

    const both = async (books: DocumentCollection<Book>, ...ids: string[]) =>
      (await books.getAll(ids)).toSorted((a, b) => (a.id < b.id ? -1 : 1));

    it('delete documents with their index entries', async () => {
      const books = await newBooks();
      await books.insertMissing(many(10));
      await books.deleteAll(['b0', 'b1', 'absent', '']);
      expect(await books.count({ project_id: 'p' })).toBe(8);
      expect(await books.findUnique({ project_id: 'p', name: 'n0' })).toBeUndefined();
      await books.insertMissing(many(2));
      expect(await books.get('b0')).toMatchObject({ version: 1 });
      await expect(books.deleteAll([])).resolves.toBeUndefined();
    });
  });

  describe(`${title}: conditions`, () => {
    const texts = [
      'Alpha run',
      'beta run',
      'gamma',
      'a.c',
      'abc',
      '50% (off) [x] {y} a|b ^$ \\ / -',
      'nul\0byte',
      'é😀',
      '',
    ];
    const newShelf = async () => {
      const books = await store.collection<Book>({ ...newSpec(), filtered: ['extra'] });
      for (const [n, extra] of texts.entries())
        await books.insert(`b${n}`, { project_id: 'p', name: `n${n}`, pages: n, extra });
      await books.insert('c1', { project_id: 'p', name: 'c1', pages: 'text', extra: ['Alpha run'] });
      await books.insert('c2', { project_id: 'p', name: 'c2' });
      await books.insert('other', { project_id: 'q', name: 'n0', pages: 3, extra: 'Alpha run' });
      return books;
    };
    const matching = async (
      books: DocumentCollection<Book>,
      where: ListQuery['where'],
      query: Partial<ListQuery> = {},
    ) => {
      const equals = { project_id: 'p' };
      const found = await namesOf(books, { equals, orderBy: 'pages', limit: 100, ...query, where });
      if (Object.keys(query).length === 0) expect(await books.count(equals, where)).toBe(found.length);
      return found;
    };

    it('find texts that contain one of several substrings, exactly', async () => {
      const books = await newShelf();
      const containing = (...containsAny: string[]) => matching(books, [{ field: 'extra', containsAny }]);
      expect(await containing('run')).toEqual(['b0', 'b1']);
      expect(await containing('alpha')).toEqual([]);
      expect(await containing('gam', 'Alpha')).toEqual(['b0', 'b2']);
      expect(await containing('a.c')).toEqual(['b3']);
      expect(await containing('😀')).toEqual(['b7']);
      expect(await containing('nul\0b')).toEqual(['b6']);
      expect(await containing('')).toHaveLength(texts.length);
      expect(await containing()).toEqual([]);
      for (const part of ['50% (off)', '[x]', '{y}', 'a|b', '^$', '\\ /', ' -'])
        expect(await containing(part)).toEqual(['b5']);
    });

    it('find values of a list, with null for absent fields; an empty list matches nothing', async () => {
      const books = await newShelf();
      expect(await matching(books, [{ field: 'name', in: ['n1', 'n3', 'n99'] }])).toEqual(['b1', 'b3']);
      expect(await matching(books, [{ field: 'extra', in: [null, 'gamma'] }])).toEqual(['c2', 'b2']);
      expect(await matching(books, [{ field: 'pages', in: [1, '2', true] }])).toEqual(['b1']);
      expect(await matching(books, [{ field: 'name', in: [] }])).toEqual([]);
    });

    it('find values in an inclusive range, of the type of its bounds', async () => {
      const books = await newShelf();
      expect(await matching(books, [{ field: 'pages', from: 2, to: 4 }])).toEqual(['b2', 'b3', 'b4']);
      expect(await matching(books, [{ field: 'pages', from: 7 }])).toEqual(['b7', 'b8']);
      expect(await matching(books, [{ field: 'pages', to: 1 }])).toEqual(['b0', 'b1']);
      expect(await matching(books, [{ field: 'pages', from: '' }])).toEqual(['c1']);
      expect(await matching(books, [{ field: 'name', from: 'n7', to: 'n8' }])).toEqual(['b7', 'b8']);
      expect(await matching(books, [{ field: 'name', from: 'n7' }], { descending: true })).toEqual([
        'b8',
        'b7',
      ]);
    });

    it('combine with an order and a page', async () => {
      const books = await newShelf();
      const where = [
        { field: 'pages', from: 0, to: 5 },
        { field: 'extra', containsAny: ['a'] },
        { field: 'name', in: ['n0', 'n1', 'n2', 'n3', 'n9'] },
      ];
      expect(await matching(books, where)).toEqual(['b0', 'b1', 'b2', 'b3']);
      expect(await matching(books, where, { descending: true, offset: 1, limit: 2 })).toEqual(['b2', 'b1']);
      expect(await matching(books, [{ field: 'pages', from: 3 }], { offset: 2, limit: 2 })).toEqual([
        'b5',
        'b6',
      ]);
      const both = [
        { field: 'pages', from: 3 },
        { field: 'pages', to: 4 },
      ];
      expect(await matching(books, both)).toEqual(['b3', 'b4']);
    });

    it('on the ordering field return a page of several values in that order', async () => {
      const books = await newShelf();
      const where = [{ field: 'pages', in: [5, 'text', 2, 5, null, 99] }];
      expect(await matching(books, where)).toEqual(['c2', 'b2', 'b5', 'c1']);
      expect(await matching(books, where, { descending: true, offset: 1, limit: 2 })).toEqual(['b5', 'b2']);
    });

    it('and an order can be evaluated by the index alone', async () => {
      const books = await newShelf();
      const query = { equals: { project_id: 'p' }, orderBy: 'pages', limit: 3 };
      expect(await books.entries({ ...query, where: [{ field: 'pages', from: 2 }] })).toEqual([
        { id: 'b2', value: 2 },
        { id: 'b3', value: 3 },
        { id: 'b4', value: 4 },
      ]);
      expect(await books.entries({ ...query, descending: true, limit: 10_000, offset: 7 })).toEqual([
        { id: 'b2', value: 2 },
        { id: 'b1', value: 1 },
        { id: 'b0', value: 0 },
        { id: 'c2', value: null },
      ]);
      const names = await books.entries({
        ...query,
        orderBy: 'name',
        where: [{ field: 'name', in: ['n8', 'c1'] }],
      });
      expect(names).toEqual([
        { id: 'c1', value: 'c1' },
        { id: 'b8', value: 'n8' },
      ]);
      await expect(books.entries({ ...query, where: [{ field: 'name', in: ['n8'] }] })).rejects.toMatchObject(
        { code: 'INTERNAL_ERROR' },
      );
      await expect(books.entries({ ...query, limit: 10_001 })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    it('match the new values after a document changes', async () => {
      const books = await newShelf();
      const found = await books.get('b0');
      if (found) await books.replace({ ...found, extra: 'omega' });
      expect(await matching(books, [{ field: 'extra', containsAny: ['omega'] }])).toEqual(['b0']);
      expect(await matching(books, [{ field: 'extra', containsAny: ['Alpha'] }])).toEqual([]);
    });

    it('are rejected with an object, with too many values, and on an undeclared field', async () => {
      const books = await newShelf();
      const operator = JSON.parse('{"$ne":null}') as string;
      for (const where of [
        [{ field: 'name', in: [operator] }],
        [{ field: 'name', in: Array.from({ length: 1_001 }, () => 'x') }],
      ]) {
        await expect(matching(books, where)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      }
      await expect(matching(books, [{ field: 'undeclared', in: [1] }])).rejects.toMatchObject({
        code: 'INTERNAL_ERROR',
      });
    });

    it('may name a field that was declared later', async () => {
      const spec = newSpec();
      const before = await store.collection<Book>(spec);
      await before.insert('b1', { project_id: 'p', pages: 1, extra: 'Alpha' });
      const after = await store.collection<Book>({ ...spec, filtered: ['extra'] });
      expect(await matching(after, [{ field: 'extra', containsAny: ['Alpha'] }])).toEqual(['b1']);
    });
  });

  describe(`${title}: a collection`, () => {
    it('is shared by two stores that open it concurrently', async () => {
      const spec = newSpec();
      const other = await open();
      const [here, there] = await Promise.all([store.collection<Book>(spec), other.collection<Book>(spec)]);
      await here.insert('b1', { project_id: 'p', name: 'a' });
      await other.close();
      expect(there).toBeDefined();
      expect(await here.get('b1')).toMatchObject({ name: 'a' });
    });

    it('persists after the store is closed and reopened', async () => {
      const spec = newSpec();
      const first = await open();
      const books = await first.collection<Book>(spec);
      await books.insert('b1', { project_id: 'p', name: 'a', pages: 3 });
      await first.close();
      await first.close();
      await expect(books.get('b1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(first.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      const again = await store.collection<Book>(spec);
      expect((await again.findUnique({ project_id: 'p', name: 'a' }))?.pages).toBe(3);
      await expect(store.check()).resolves.toBeUndefined();
    });

    it('finds existing documents by sets that were declared later', async () => {
      const spec = newSpec();
      const before = await store.collection<Book>({ ...spec, unique: [], indexes: [] });
      await before.insert('b1', { project_id: 'p', name: 'a', pages: 3 });
      const after = await store.collection<Book>(spec);
      expect(await namesOf(after, { equals: { project_id: 'p' }, orderBy: 'pages', limit: 10 })).toEqual([
        'b1',
      ]);
      expect((await after.findUnique({ project_id: 'p', name: 'a' }))?.id).toBe('b1');
      await expect(after.insert('b2', { project_id: 'p', name: 'a' })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(await after.get('b1')).toMatchObject({ version: 1 });
    });

    it('rejects names that are reserved by a store', async () => {
      for (const field of ['_id', '$where', 'a.b', '_unique_a', 'id', 'version', '__proto__']) {
        await expect(store.collection({ name: 'x', unique: [], indexes: [[field]] })).rejects.toMatchObject({
          code: 'INTERNAL_ERROR',
        });
      }
      await expect(store.collection({ name: 'system.users', unique: [], indexes: [] })).rejects.toMatchObject(
        { code: 'INTERNAL_ERROR' },
      );
    });
  });

  describe(`${title}: kill -9 of the writer`, () => {
    it('loses no acknowledged document and leaves no partial write', async () => {
      for (let round = 0; round < 4; round++) {
        const spec = newSpec();
        const acknowledged = await writeUntilKilled(underTest(), spec, 20 + 17 * round);
        const other = await open();
        const books = await other.collection<Book>(spec);
        for (const id of acknowledged)
          expect((await books.findUnique({ project_id: 'p', name: id }))?.id).toBe(id);
        const listed = await namesOf(books, { equals: { project_id: 'p' }, orderBy: 'pages', limit: 1_000 });
        expect(listed).toEqual(expect.arrayContaining(acknowledged));
        expect(await books.count({})).toBe(listed.length);
        await other.close();
      }
    });
  });
}

/**
 * Runs a process that inserts documents, ten concurrently, and prints the id of each acknowledged one. Kills
 * it after `count` ids.
 */
async function writeUntilKilled(
  underTest: StoreUnderTest,
  spec: CollectionSpec,
  count: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [
    '-e',
    WRITER,
    JSON.stringify({ ...underTest, spec, module: join(__dirname, '../dist/index.js') }),
  ]);
  const failure: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => failure.push(chunk));
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(Buffer.concat(failure).toString()).toBe('');
  expect(acknowledged.length).toBeGreaterThanOrEqual(count);
  return acknowledged;
}

const WRITER = `
  const { module, opener, options, spec } = JSON.parse(process.argv[1]);
  (async () => {
    const store = await require(module)[opener](options);
    const books = await store.collection(spec);
    for (let n = 0; n < 900; n += 10) {
      await Promise.all(Array.from({ length: 10 }, async (_, k) => {
        const id = 'b' + (n + k);
        await books.insert(id, { project_id: 'p', name: id, pages: n, extra: 'x'.repeat(3000) });
        require('node:fs').writeSync(1, id + '\\n');
      }));
    }
    setInterval(() => {}, 1000);
  })();
`;
