import { AppError } from '@assay/errors';

/** Runs a call unless too many run already. @throws AppError `OVERLOADED` */
export type ConcurrencyLimit = <T>(call: () => Promise<T>) => Promise<T>;

/** Limits the number of concurrent calls. Calls above the limit are rejected, never queued. */
export function makeConcurrencyLimit(max = Infinity): ConcurrencyLimit {
  let running = 0;
  return async (call) => {
    if (running >= max) throw new AppError('OVERLOADED', 'too many concurrent requests, retry later');
    running++;
    try {
      return await call();
    } finally {
      running--;
    }
  };
}
