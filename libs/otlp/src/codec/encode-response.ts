import type { AppError, ErrorCode } from '@assay/errors';
import { encodeMessage } from './protobuf/descriptor.js';
import type { OtlpEncoding, Rejected } from '../messages.js';

/** Response in the encoding of its request. Clients compare the content type literally: it has no charset. */
export interface EncodedResponse {
  readonly contentType: 'application/json' | 'application/x-protobuf';
  readonly body: Buffer;
}

/**
 * Body of a 200 response: an `ExportTraceServiceResponse`, which is `{}` or zero bytes when every span was
 * accepted. A message without rejected spans is a warning.
 */
export function encodeTracesResponse(
  traces: { readonly rejected: Rejected },
  encoding: OtlpEncoding,
): EncodedResponse {
  const { count, message } = traces.rejected;
  const rejectedSpans = String(count);
  const response =
    count === 0 && message === '' ? {} : { partialSuccess: { rejectedSpans, errorMessage: message } };
  return encode('ExportTraceServiceResponse', response, response, encoding);
}

/**
 * Body of a 200 response to logs or metrics, as {@link encodeTracesResponse}.
 * @param rejected records or data points that are not stored, and why
 */
export function encodeSignalResponse(
  signal: 'logs' | 'metrics',
  { count, message }: Rejected,
  encoding: OtlpEncoding,
): EncodedResponse {
  const counted = { [signal === 'logs' ? 'rejectedLogRecords' : 'rejectedDataPoints']: String(count) };
  const isComplete = count === 0 && message === '';
  const response = isComplete ? {} : { partialSuccess: { ...counted, errorMessage: message } };
  return encode(SIGNAL_RESPONSES[signal], response, response, encoding);
}

const SIGNAL_RESPONSES = {
  logs: 'ExportLogsServiceResponse',
  metrics: 'ExportMetricsServiceResponse',
} as const;

/** google.rpc.Code of each error. Retryable errors, and no others, have a code that gRPC clients retry. */
const RPC_CODES: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: 3,
  UNAUTHORIZED: 16,
  FORBIDDEN: 7,
  NOT_FOUND: 5,
  METHOD_NOT_ALLOWED: 12,
  REQUEST_TIMEOUT: 4,
  CONFLICT: 6,
  PAYLOAD_TOO_LARGE: 8,
  RATE_LIMITED: 8,
  UNSUPPORTED_MEDIA_TYPE: 3,
  RANGE_NOT_SATISFIABLE: 3,
  execution_error: 9,
  compilation_error: 9,
  template_render_error: 9,
  llm_response_parse_error: 9,
  HEADERS_TOO_LARGE: 3,
  INTERNAL_ERROR: 13,
  UNAVAILABLE: 14,
  OVERLOADED: 14,
  INSUFFICIENT_STORAGE: 14,
};

/**
 * Encodes an error as `google.rpc.Status`; in JSON with the fields of every other error of the API, in protobuf with the id of the request as
 * `google.rpc.RequestInfo`.
 */
export function encodeStatus(
  error: Pick<AppError, 'code' | 'message' | 'status'>,
  requestId: string,
  encoding: OtlpEncoding,
): EncodedResponse {
  const code = RPC_CODES[error.code];
  const { status: statusCode, message } = error;
  const details = [{ typeUrl: REQUEST_INFO, value: encodeMessage('RequestInfo', { requestId }) }];
  const json = { code, statusCode, message, success: false, errorCode: error.code, requestId };
  return encode('Status', { code, message, details }, json, encoding);
}

/** `google.rpc.Status` in the parts that gRPC sends: `grpc-status`, `grpc-message`, `grpc-status-details-bin`. */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  /** The encoded message, when it has details. */
  readonly details?: Buffer;
}

/**
 * Returns the status of a failed call.
 * @param retryAfterSeconds when the client may send the request again, as `google.rpc.RetryInfo`; without it, exporters
 * do not retry RESOURCE_EXHAUSTED
 */
export function rpcStatus(
  { code: errorCode, message }: Pick<AppError, 'code' | 'message'>,
  retryAfterSeconds?: number,
): RpcStatus {
  const code = RPC_CODES[errorCode];
  if (retryAfterSeconds === undefined) return { code, message };
  const value = encodeMessage('RetryInfo', { retryDelay: { seconds: String(retryAfterSeconds) } });
  const details = [{ typeUrl: RETRY_INFO, value }];
  return { code, message, details: encodeMessage('Status', { code, message, details }) };
}

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';
const REQUEST_INFO = 'type.googleapis.com/google.rpc.RequestInfo';

function encode(
  name:
    | 'Status'
    | 'ExportTraceServiceResponse'
    | 'ExportLogsServiceResponse'
    | 'ExportMetricsServiceResponse',
  message: object,
  json: object,
  encoding: OtlpEncoding,
): EncodedResponse {
  if (encoding === 'json')
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(json)) };
  return { contentType: 'application/x-protobuf', body: encodeMessage(name, message) };
}
