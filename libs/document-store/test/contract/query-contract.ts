import type { DocumentCollection, ListQuery } from '../../src/index.js';
import type { Book, BookFixture } from '../book-fixture.js';

/** Queries: order, pages and conditions. */
export function queryContract({ store, newSpec, newBooks, idsOf }: BookFixture): void {
  describe('lists', () => {
    const shelve = async (books: DocumentCollection<Book>, pages: readonly unknown[]) => {
      for (const [n, value] of pages.entries())
        await books.insert(`b${n}`, { project_id: 'p', pages: value });
    };

    it('order strings by code point, then by id', async () => {
      const books = await newBooks();
      await shelve(books, ['z', 'a', '\u{1F600}', '\uFFFD', 'B', 'é', '', 'a\0b', 'a', 'ab']);
      const query = { equals: { project_id: 'p' }, orderBy: 'pages', limit: 100 };
      expect(await idsOf(books, query)).toEqual(['b6', 'b4', 'b1', 'b8', 'b7', 'b9', 'b0', 'b5', 'b3', 'b2']);
      const reversed = await idsOf(books, { ...query, descending: true });
      expect(reversed).toEqual(['b2', 'b3', 'b5', 'b0', 'b9', 'b7', 'b8', 'b1', 'b4', 'b6']);
    });

    it('order numbers by value, and types as null, number, string, object, boolean', async () => {
      const books = await newBooks();
      await shelve(books, [true, { a: 1 }, 'text', 10, -1.5, 9, -1e300, 0, undefined, false, 1e-3]);
      const order = ['b8', 'b6', 'b4', 'b7', 'b10', 'b5', 'b3', 'b2', 'b1', 'b9', 'b0'];
      expect(await idsOf(books, { equals: {}, orderBy: 'pages', limit: 100 })).toEqual(order);
    });

    it('skip and return the requested number of documents', async () => {
      const books = await newBooks();
      await shelve(
        books,
        Array.from({ length: 25 }, (_, n) => n),
      );
      const page = (offset: number, limit: number) =>
        idsOf(books, { equals: { project_id: 'p' }, orderBy: 'pages', offset, limit });
      expect(await page(0, 3)).toEqual(['b0', 'b1', 'b2']);
      expect(await page(23, 10)).toEqual(['b23', 'b24']);
      expect(await page(25, 10)).toEqual([]);
      expect(await idsOf(books, { equals: {}, limit: 2, offset: 1 })).toEqual(['b1', 'b10']);
      expect(await idsOf(books, { equals: {}, limit: 2, descending: true })).toEqual(['b9', 'b8']);
    });

    it('contain only matching documents, also after changes and deletions', async () => {
      const books = await newBooks();
      await shelve(books, [1, 2, 3]);
      await books.insert('other', { project_id: 'q', pages: 1 });
      const moved = await books.get('b1');
      if (moved) await books.replace({ ...moved, project_id: 'q' });
      await books.delete('b2');
      expect(await idsOf(books, { equals: { project_id: 'p' }, limit: 10 })).toEqual(['b0']);
      expect(await idsOf(books, { equals: { project_id: 'q' }, orderBy: 'pages', limit: 10 })).toEqual([
        'other',
        'b1',
      ]);
      expect(await idsOf(books, { equals: { project_id: 'q', pages: 2 }, limit: 10 })).toEqual(['b1']);
      expect(
        await Promise.all([books.count({ project_id: 'q' }), books.count({ pages: 1 }), books.count({})]),
      ).toEqual([2, 2, 3]);
    });

    it('end after the document that reaches the byte limit', async () => {
      const books = await newBooks();
      const large = 'x'.repeat(1_000_000);
      const sizes = [10, 10, 1_000_000, 10];
      for (const [n, size] of sizes.entries())
        await books.insert(`b${n}`, { project_id: 'p', pages: n, extra: large.slice(0, size) });
      const query = { equals: { project_id: 'p' }, orderBy: 'pages', limit: 100 };
      const pages = (offset: number, maxBytes: number) => idsOf(books, { ...query, offset, maxBytes });
      expect(await pages(0, 100_000)).toEqual(['b0', 'b1', 'b2']);
      expect(await pages(2, 1)).toEqual(['b2']);
      expect(await pages(3, 100_000)).toEqual(['b3']);
      expect(await pages(4, 100_000)).toEqual([]);
      expect(await idsOf(books, { ...query, limit: 2, maxBytes: 2_000_000 })).toEqual(['b0', 'b1']);
    });

    it('treat an absent field as null', async () => {
      const books = await newBooks();
      await books.insert('b1', {});
      await books.insert('b2', { project_id: null });
      await books.insert('b3', { project_id: 'p' });
      expect(await idsOf(books, { equals: { project_id: null }, limit: 10 })).toEqual(['b1', 'b2']);
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

  describe('conditions', () => {
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
      const books = await store().collection<Book>({ ...newSpec(), filtered: ['extra'] });
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
      const found = await idsOf(books, { equals, orderBy: 'pages', limit: 100, ...query, where });
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
      const before = await store().collection<Book>(spec);
      await before.insert('b1', { project_id: 'p', pages: 1, extra: 'Alpha' });
      const after = await store().collection<Book>({ ...spec, filtered: ['extra'] });
      expect(await matching(after, [{ field: 'extra', containsAny: ['Alpha'] }])).toEqual(['b1']);
    });
  });
}
