import { AppError } from '@assay/errors';
import type { Document, DocumentCollection } from '@assay/document-store';

const ATTEMPTS = 10;

/**
 * Reads a document and replaces it by what `change` makes of it, again when somebody else was faster. Undefined when `find` finds
 * none. @throws AppError `CONFLICT` after ten attempts
 */
export async function updateWithRetry<Fields extends object>(
  collection: DocumentCollection<Fields>,
  find: () => Promise<Document<Fields> | undefined>,
  change: (document: Document<Fields>) => Document<Fields>,
): Promise<Document<Fields> | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await find();
    if (!found) return undefined;
    const replaced = await collection.replace(change(found));
    if (replaced) return replaced;
  }
  throw new AppError('CONFLICT', 'others are changing this at the same time, try again');
}
