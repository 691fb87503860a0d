import { runSync, type Steps } from '@assay/runtime';
import { mayExceedEvent } from '../limits.js';
import type { DecodedTraces, DecodeOptions, OtlpEncoding } from '../messages.js';
import { decodeJson } from './json/decode-json.js';
import { decodeProtobuf } from './protobuf/decode-protobuf.js';

/**
 * Decodes the inflated body of `POST /opentelemetry/v1/traces`. An empty body is an empty request. Invalid
 * spans are counted in `rejected`.
 * @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE only
 */
export function decodeTraces(body: Buffer, encoding: OtlpEncoding, options?: DecodeOptions): DecodedTraces {
  return runSync(decodeTracesSteps(body, encoding, options));
}

/** Cooperative version of {@link decodeTraces}: yields between spans. */
export function* decodeTracesSteps(
  body: Buffer,
  encoding: OtlpEncoding,
  options?: DecodeOptions,
): Steps<DecodedTraces> {
  const decoded = yield* encoding === 'json' ? decodeJson(body) : decodeProtobuf(body, options);
  return mayExceedEvent(body, options?.maxEventBytes) ? { ...decoded, isLarge: true } : decoded;
}
