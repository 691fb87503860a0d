import { runSync, type Steps } from '@assay/runtime';
import { mayExceedEvent } from '../limits.js';
import type { OtlpEncoding } from '../messages.js';
import { decodeJsonLogs } from './decode-json-logs.js';
import { decodeProtobufLogs } from './decode-protobuf-logs.js';
import type { DecodedLogs } from './log-record.js';

/**
 * Decodes the inflated body of `POST /opentelemetry/v1/logs`. Records that cannot be stored are counted.
 * @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE only
 */
export function decodeLogs(body: Buffer, encoding: OtlpEncoding): DecodedLogs {
  return runSync(decodeLogsSteps(body, encoding));
}

/** Cooperative version of {@link decodeLogs}: yields between records. An event has at most `maxEventBytes` of JSON, 10 MB by default. */
export function* decodeLogsSteps(
  body: Buffer,
  encoding: OtlpEncoding,
  maxEventBytes?: number,
): Steps<DecodedLogs> {
  const decoded = yield* encoding === 'json' ? decodeJsonLogs(body) : decodeProtobufLogs(body);
  return mayExceedEvent(body, maxEventBytes) ? { ...decoded, isLarge: true } : decoded;
}
