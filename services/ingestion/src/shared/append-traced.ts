import { RECORD_HEADERS } from '@assay/contracts';
import type { EventLog, LogRecord } from '@assay/event-log';
import { within, type RecordedSpan } from '@assay/telemetry';

/**
 * Appends the records of a request to the log. Of a traced request, the append has a span, and one record carries the request's
 * position in its trace, so that the readers of the log can link to it.
 * @param carrier index of that record: the first event that was sent, not a session that was synthesised for it
 * @throws what `append` throws
 */
export function appendTraced(
  log: Pick<EventLog, 'append'>,
  records: readonly LogRecord[],
  trace: RecordedSpan | undefined,
  carrier = 0,
): Promise<void> {
  const record = records[carrier];
  if (trace === undefined || record === undefined) return log.append(records);
  const headers = { ...record.headers, [RECORD_HEADERS.trace]: trace.traceparent };
  const span = trace.startChild('append to the log', { 'assay.records': records.length });
  return within(span, () => log.append(records.with(carrier, { ...record, headers })));
}
