import type { Collection, Filter } from 'mongodb';
import type { CollectionSpec } from '../document-store.js';
import { fieldsOf } from '../rules/encode-fields.js';
import { reshapeStatement, versionStatement } from './statements.js';
import { fromStored, setsOf, type StoredDocument, toStored } from './stored-document.js';

/**
 * Recomputes the look-up fields of documents that were written under other sets, without changing their
 * version. Makes one pass and skips documents that change concurrently. Must run before the unique indexes
 * are created, which would reject documents without their field.
 */
export async function reshape(spec: CollectionSpec, collection: Collection<StoredDocument>): Promise<void> {
  const outdated = collection.find(reshapeStatement(setsOf(spec)).filter as Filter<StoredDocument>);
  for await (const stored of outdated) {
    const { _id, ...replacement } = toStored(spec, {
      id: stored._id,
      version: stored._version,
      fields: fieldsOf(fromStored<object>(stored)),
      json: stored._json,
    });
    await collection.replaceOne(versionStatement(_id, stored._version).filter, replacement);
  }
}
