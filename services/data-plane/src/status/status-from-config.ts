import { MAX_BODY_BYTES, VERSION } from '@assay/http';
import type {
  bodySettings,
  ConfigOf,
  objectExportSettings,
  querySettings,
  redactionSettings,
} from '@assay/runtime';
import type { ProcessStatus } from './get-status.js';

type StatusConfig = ConfigOf<
  typeof bodySettings &
    typeof objectExportSettings &
    ReturnType<typeof querySettings> &
    typeof redactionSettings
>;

/** Returns what `GET /v1/status` reports of the settings. None of them is a secret. */
export function statusFromConfig(
  plane: ProcessStatus['plane'],
  config: StatusConfig,
): Omit<ProcessStatus, 'evaluation'> {
  return {
    version: VERSION,
    plane,
    redactValues: config.redactValues,
    redactNames: config.redactNames,
    redactNumbers: config.redactNumbers,
    redactFields: config.redactFields ?? [],
    objectExport: config.exportS3Endpoint !== undefined,
    limits: {
      max_body_bytes: MAX_BODY_BYTES,
      max_body_bytes_in_flight: config.maxBodyBytesInFlight,
      query_concurrency: config.queryConcurrency,
      query_concurrency_per_project: config.queryConcurrencyPerProject,
      query_queue_per_project: config.queryQueuePerProject,
      query_max_seconds: config.queryMaxSeconds,
      query_max_rows_to_read: config.queryMaxRowsToRead,
      query_max_bytes_to_read: config.queryMaxBytesToRead,
    },
  };
}
