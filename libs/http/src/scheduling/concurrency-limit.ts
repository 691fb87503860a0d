import { AppError } from '@assay/errors';

/** Runs a call unless too many run already. @throws AppError `OVERLOADED` */
export type ConcurrencyLimit = <T>(call: () => Promise<T>) => Promise<T>;

/** Makes a limit on the number of calls that run at the same time. Calls above it are refused, never queued. */
export function makeConcurrencyLimit(max = Infinity): ConcurrencyLimit {
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
