import type { DocumentCollection } from '../../src/index.js';
import type { Book, BookFixture } from '../book-fixture.js';

/** Operations on many documents in one call. */
export function bulkContract({ newBooks, idsOf }: BookFixture): void {
  describe('bulk operations', () => {
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
      expect(await idsOf(books, { equals: { project_id: 'p' }, orderBy: 'pages', limit: 10 })).toEqual([
        'b0',
        'b3',
        'b1',
      ]);
      expect(await books.replaceAll([])).toBe(true);
    });

    it('replace hundreds of documents in one call', async () => {
      const books = await newBooks();
      await books.insertMissing(many(300));
      const read = await books.getAll(many(300).map(({ id }) => id));
      expect(await books.replaceAll(read.map((one) => ({ ...one, pages: 2 })))).toBe(true);
      expect(await books.count({ project_id: 'p', pages: 2 })).toBe(300);
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

    it('are read by id only while they are small together', async () => {
      const books = await newBooks();
      await books.insertMissing(many(150));
      await books.insert('large', { project_id: 'p', extra: 'x'.repeat(1_000_000) });
      const ids = many(150).map(({ id }) => id);
      expect(await books.getAllWithin(ids, 1_000_000)).toHaveLength(150);
      expect(await books.getAllWithin([...ids.slice(0, 3), 'absent', ''], 1_000_000)).toHaveLength(3);
      expect(await books.getAllWithin(['large'], 10)).toMatchObject([{ id: 'large' }]);
      expect(await books.getAllWithin(['large', 'b0'], 10)).toBeUndefined();
      expect(await books.getAllWithin([...ids, 'large'], 500_000)).toBeUndefined();
      expect(await books.getAllWithin([], 10)).toEqual([]);
    });

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
}
