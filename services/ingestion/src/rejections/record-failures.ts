import type { FailedRequest } from '@assay/http';
import type { Metrics } from '@assay/runtime';
import type { RejectionLog } from './rejection-log.js';

/** The counter has this reason already, see `startAdmission`. */
const COUNTED_BY_ADMISSION = 'store_behind';

/** Returns a function that counts requests which were refused before they were appended to the log. */
export function makeCountRefused(metrics: Metrics): (reason: string, requests?: number) => void {
  const refused = metrics.counter(
    'assay_ingest_refused_total',
    'Requests that were refused before they were appended to the log',
    ['reason'],
  );
  return (reason, requests = 1) => refused.inc({ reason }, requests);
}

/** Returns a function that counts failed requests to write events, and lists them for their project. */
export function makeRecordFailures({
  metrics,
  rejections,
}: {
  readonly metrics: Metrics;
  readonly rejections: RejectionLog;
}): (failed: FailedRequest) => void {
  const countRefused = makeCountRefused(metrics);
  return ({ route, error, projectId, headers }) => {
    if (route.owner !== 'ingestion' || route.method === 'GET') return;
    if (error.details.reason !== COUNTED_BY_ADMISSION) countRefused(error.code.toLowerCase());
    if (projectId === undefined) return;
    rejections.add({
      projectId,
      route: `${route.method} ${route.path}`,
      status: error.status,
      reason: error.code,
      message: error.message,
      client: headers['user-agent'],
    });
  };
}
