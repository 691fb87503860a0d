import { DEFAULT_QUERY_LIMITS, type QueryLimits, type QueryShares } from '@assay/event-store';
import type { ConfigOf, mediaSettings, querySettings } from '@assay/runtime';

type StoreConfig = ConfigOf<ReturnType<typeof querySettings> & ReturnType<typeof mediaSettings>>;

/** Returns the bounds of client queries, and how large texts are stored, as the configuration sets them. */
export function storeOptions(config: StoreConfig): {
  limits: QueryLimits;
  shares: QueryShares;
  storeMediaOnce: boolean;
} {
  return {
    storeMediaOnce: config.storeMediaOnce,
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
