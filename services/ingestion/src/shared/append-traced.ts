import { RECORD_HEADERS } from '@assay/contracts';
import type { EventLog, LogRecord } from '@assay/event-log';
import { within, type RecordedSpan } from '@assay/telemetry';

/**
 * Appends the records of a request to the log. Of a traced request, the append has a span, and the first record carries the request's
 * position in its trace, so that the readers of the log can link to it.
 * @throws what `append` throws
 */
export function appendTraced(
  log: Pick<EventLog, 'append'>,
  records: readonly LogRecord[],
  trace: RecordedSpan | undefined,
): Promise<void> {
  const [first, ...others] = records;
  if (trace === undefined || first === undefined) return log.append(records);
  const headers = { ...first.headers, [RECORD_HEADERS.trace]: trace.traceparent };
  const span = trace.startChild('append to the log', { 'assay.records': records.length });
  return within(span, () => log.append([{ ...first, headers }, ...others]));
}
