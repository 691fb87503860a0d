import type { createBackup } from '@assay/contracts';
import { AppError } from '@assay/errors';
import type { Operation } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** @throws AppError as `createBackup`, `CONFLICT` in a process of the separate services */
export function makeCreateBackup({
  createBackup: create,
}: Pick<DataPlaneDeps, 'createBackup'>): Operation<typeof createBackup> {
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
