import { AppError } from '@assay/errors';

/** Runs a call for a project unless the project has too many. @throws AppError `OVERLOADED` */
export type ProjectLimit = <T>(projectId: string, call: () => Promise<T>) => Promise<T>;

/** Limits the number of concurrent calls of each project. Excess calls are rejected, never queued. */
export function makeProjectLimit(maxPerProject: number): ProjectLimit {
  const running = new Map<string, number>();
  const count = (projectId: string, change: 1 | -1) => {
    const calls = (running.get(projectId) ?? 0) + change;
    if (calls === 0) running.delete(projectId);
    else running.set(projectId, calls);
  };
  return async (projectId, call) => {
    if ((running.get(projectId) ?? 0) >= maxPerProject)
      throw new AppError(
        'OVERLOADED',
        'too many requests of the project are in progress, send the request again later',
      );
    count(projectId, 1);
    try {
      return await call();
    } finally {
      count(projectId, -1);
    }
  };
}
