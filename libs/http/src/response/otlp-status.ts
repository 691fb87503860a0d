import { toErrorBody } from '@assay/contracts';
import type { AppError } from '@assay/errors';
import { JSON_TYPE } from './response.js';

/** Codes of google.rpc.Code by HTTP status. */
const RPC_CODES: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 5],
  [405, 12],
  [408, 4],
  [413, 8],
  [415, 3],
]);
const RPC_UNAVAILABLE = 14;

const PROTOBUF_TYPE = 'application/x-protobuf';

/**
 * An error in the encoding of the OTLP request: `google.rpc.Status`, as JSON with the fields of every other error beside it.
 * Source: OTLP specification, "OTLP/HTTP Response", failures.
 */
export function otlpErrorBody(
  error: AppError,
  contentType: string | undefined,
): { contentType: string; body: Buffer | string } {
  const code = RPC_CODES.get(error.status) ?? RPC_UNAVAILABLE;
  if (contentType !== undefined && /^application\/(x-|x-google-)?protobuf\b/i.test(contentType.trim())) {
    return { contentType: PROTOBUF_TYPE, body: encodeStatus(code, error.message) };
  }
  return { contentType: JSON_TYPE, body: JSON.stringify({ code, ...toErrorBody(error) }) };
}

/** `Status { int32 code = 1; string message = 2; }` in protobuf's wire format; codes are below 128, one byte. */
export function encodeStatus(code: number, message: string): Buffer {
  const text = Buffer.from(message, 'utf8');
  return Buffer.concat([Buffer.from([0x08, code, 0x12, ...varint(text.length)]), text]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
