import { type StoreUnderTest, useBooks } from './book-fixture.js';
import { bulkContract } from './contract/bulk-contract.js';
import { collectionContract } from './contract/collection-contract.js';
import { documentContract } from './contract/document-contract.js';
import { queryContract } from './contract/query-contract.js';

/** Contract of every adapter. The store of `underTest` must be empty and not shared with other tests. */
export function describeDocumentStore(title: string, underTest: () => StoreUnderTest): void {
  describe(title, () => {
    const fixture = useBooks(underTest);
    documentContract(fixture);
    queryContract(fixture);
    bulkContract(fixture);
    collectionContract(fixture);
  });
}
