export type { RowLocation, RowVersion } from '@assay/event-rows';

/** How a query of a client runs: it waits for its project's turn, and exceeding its limits is `VALIDATION_ERROR`. */
export interface QueryOptions {
  /** Aborting takes the query out of the queue, or cancels it when it runs; the call fails with `UNAVAILABLE`. */
  readonly signal?: AbortSignal;
}
