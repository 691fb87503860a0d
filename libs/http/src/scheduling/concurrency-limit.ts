import { AppError } from '@assay/errors';

/** Runs a call unless the limit is reached. @throws AppError `OVERLOADED` */
export type ConcurrencyLimit = <T>(call: () => Promise<T>) => Promise<T>;

/** Limits the number of concurrent calls. Excess calls are rejected, never queued. */
export function makeConcurrencyLimit(max?: number): ConcurrencyLimit {
  if (max === undefined) return (call) => call();
  let running = 0;
  return async (call) => {
    if (running >= max)
      throw new AppError('OVERLOADED', 'too many of these requests run now, send the request again later');
    running++;
    try {
      return await call();
    } finally {
      running--;
    }
  };
}
