import { openEmbeddedDocumentStore } from '../src/embedded/open-embedded-document-store.js';
import { openMongoDocumentStore } from '../src/mongodb/open-mongo-document-store.js';
import type { CollectionSpec, DocumentCollection, DocumentStore, ListQuery } from '../src/index.js';

const stores = { openEmbeddedDocumentStore, openMongoDocumentStore };

/** How to open the store under test, in this process and in a child process: an exported function of the package and its options. */
export interface StoreUnderTest {
  readonly opener: keyof typeof stores;
  readonly options: { dir: string; url: string; database: string };
}

export interface Book {
  project_id?: string | null;
  name?: unknown;
  pages?: unknown;
  extra?: unknown;
}

/** A store that is open for the whole suite, with a new collection of books for each test. */
export interface BookFixture {
  underTest(this: void): StoreUnderTest;
  open(this: void): Promise<DocumentStore>;
  store(this: void): DocumentStore;
  newSpec(this: void): CollectionSpec;
  newBooks(this: void): Promise<DocumentCollection<Book>>;
  /** Returns the ids of the matching books, in order. */
  idsOf(this: void, books: DocumentCollection<Book>, query: ListQuery): Promise<string[]>;
}

/** Opens the store before the tests of the current describe block, and closes it after them. */
export function useBooks(underTest: () => StoreUnderTest): BookFixture {
  const open = (): Promise<DocumentStore> => stores[underTest().opener](underTest().options);
  const shared: { store?: DocumentStore } = {};
  const store = () => {
    if (shared.store === undefined) throw new Error('the store is not open');
    return shared.store;
  };
  let collections = 0;
  const newSpec = (): CollectionSpec => ({
    name: `books_${++collections}`,
    unique: [['project_id', 'name']],
    indexes: [['project_id', 'pages'], ['project_id'], ['pages']],
  });
  beforeAll(async () => {
    shared.store = await open();
  });
  afterAll(() => shared.store?.close());
  return {
    underTest,
    open,
    store,
    newSpec,
    newBooks: () => store().collection<Book>(newSpec()),
    idsOf: async (books, query) => (await books.list(query)).map(({ id }) => id),
  };
}
