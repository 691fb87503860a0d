import { DEFAULT_QUERY_LIMITS, type QueryLimits, type QueryShares } from '@assay/event-store';
import type { querySettings, ConfigOf } from '@assay/runtime';

/** Returns the bounds of client queries that the configuration sets. */
export function queryOptions(config: ConfigOf<ReturnType<typeof querySettings>>): {
  limits: QueryLimits;
  shares: QueryShares;
} {
  return {
    limits: {
      ...DEFAULT_QUERY_LIMITS,
      maxSeconds: config.queryMaxSeconds,
      maxRowsToRead: config.queryMaxRowsToRead,
      maxBytesToRead: config.queryMaxBytesToRead,
      maxThreads: config.queryMaxThreads,
    },
    shares: {
      concurrency: config.queryConcurrency,
      perProject: config.queryConcurrencyPerProject,
      maxWaiting: config.queryQueuePerProject,
    },
  };
}
