import type { Scalar } from '../../src/index.js';
import type { BookFixture } from '../book-fixture.js';

/** Single documents: user data, unique sets and concurrent writers. */
export function documentContract({ store, newSpec, newBooks, idsOf }: BookFixture): void {
  describe('one document', () => {
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

  describe('user data', () => {
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
      const books = await store().collection<object>(newSpec());
      await books.insert('b1', hostile);
      const { id, version, ...fields } = (await books.get('b1')) ?? { id: '', version: 0 };
      expect([id, version, JSON.stringify(fields)]).toEqual(['b1', 1, JSON.stringify(hostile)]);
    });

    it('is compared as data: a value that looks like an operator matches only itself', async () => {
      const books = await newBooks();
      await books.insert('b1', { project_id: 'p', name: '$ne' });
      await books.insert('b2', { project_id: "p' OR 1=1 --", name: 'x' });
      expect(await idsOf(books, { equals: { project_id: "p' OR 1=1 --" }, limit: 10 })).toEqual(['b2']);
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
      expect(await idsOf(books, { equals: { pages: 1 }, limit: 10 })).toEqual(['number']);
      expect(await idsOf(books, { equals: { pages: '1' }, limit: 10 })).toEqual(['text']);
    });
  });

  describe('unique sets', () => {
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

  describe('concurrent writers', () => {
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
}
