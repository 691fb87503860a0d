import type { Collection, Filter } from 'mongodb';
import type { CollectionSpec } from '../document-store.js';
import { fieldsOf } from '../rules/encode-fields.js';
import { reshapeStatement, versionStatement } from './statements.js';
import { fromStored, setsOf, type StoredDocument, toStored } from './stored-document.js';

/**
 * Derives the look-up fields anew for documents that were written under other sets, keeping their version: one pass, in which
 * a document that somebody changes meanwhile is left as that writer made it. Must come before the unique indexes, which would
 * refuse documents that lack their field.
 */
export async function reshape(spec: CollectionSpec, collection: Collection<StoredDocument>): Promise<void> {
  const outdated = collection.find(reshapeStatement(setsOf(spec)).filter as Filter<StoredDocument>);
  for await (const stored of outdated) {
    const { _id, ...replacement } = toStored(
      spec,
      stored._id,
      stored._version,
      fieldsOf(fromStored<object>(stored)),
      stored._json,
    );
    await collection.replaceOne(versionStatement(_id, stored._version).filter, replacement);
  }
}
