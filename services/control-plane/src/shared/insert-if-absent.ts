import type { DocumentCollection } from '@assay/document-store';
import { AppError } from '@assay/errors';

/** Inserts a document; false when its id is taken. The collection must have no unique sets: their conflicts would read the same. */
export async function insertIfAbsent<Fields extends object>(
  documents: DocumentCollection<Fields>,
  id: string,
  fields: Fields,
): Promise<boolean> {
  try {
    await documents.insert(id, fields);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false;
    throw error;
  }
}
