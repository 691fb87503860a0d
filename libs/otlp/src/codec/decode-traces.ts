import { runSync, type Steps } from '@assay/runtime';
import type { DecodedTraces, OtlpEncoding } from '../messages.js';
import { decodeJson } from './json/decode-json.js';
import { decodeProtobuf } from './protobuf/decode-protobuf.js';

/**
 * Decodes the inflated body of `POST /opentelemetry/v1/traces`. Nothing in it is an empty request. Single spans that cannot be
 * taken are counted in `rejected`.
 *
 * @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE, never anything else
 */
export function decodeTraces(body: Buffer, encoding: OtlpEncoding): DecodedTraces {
  return runSync(decodeTracesSteps(body, encoding));
}

/** As {@link decodeTraces}; may be interrupted between spans. */
export function decodeTracesSteps(body: Buffer, encoding: OtlpEncoding): Steps<DecodedTraces> {
  return encoding === 'json' ? decodeJson(body) : decodeProtobuf(body);
}
