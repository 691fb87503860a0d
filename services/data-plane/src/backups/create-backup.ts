import type { createBackup } from '@assay/contracts';
import { AppError } from '@assay/errors';
import type { Operation } from '@assay/http';

/**
 * Writes a backup of all stores into a folder, an absolute path.
 * @throws AppError `VALIDATION_ERROR` for a folder that cannot be written, `CONFLICT` for one that exists and during another backup,
 * `INSUFFICIENT_STORAGE`, `UNAVAILABLE`
 */
export type CreateBackup = (directory: string) => Promise<{ readonly files: number; readonly bytes: number }>;

/** @throws AppError as {@link CreateBackup}, `CONFLICT` in a process of the separate services */
export function makeCreateBackup({
  createBackup: create,
}: {
  readonly createBackup?: CreateBackup;
}): Operation<typeof createBackup> {
  return async ({ body }) => {
    if (create === undefined)
      throw new AppError(
        'CONFLICT',
        'only the single process writes backups: back up ClickHouse and MongoDB with their own tools',
      );
    const { files, bytes } = await create(body.directory);
    return { success: true, files, bytes };
  };
}
