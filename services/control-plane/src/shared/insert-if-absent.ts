import type { DocumentCollection } from '@assay/document-store';
import { AppError } from '@assay/errors';

/**
 * Inserts a document and returns whether its id was free. The collection must not have unique fields, because
 * their conflicts are indistinguishable from a taken id.
 */
export async function insertIfAbsent<Fields extends object>(
  collection: DocumentCollection<Fields>,
  id: string,
  fields: Fields,
): Promise<boolean> {
  try {
    await collection.insert(id, fields);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false;
    throw error;
  }
}
