import type { DecodedTraces, OtlpEncoding } from '../messages.js';
import { atOnce, type Pieces } from '../pieces.js';
import { decodeJson } from './json/decode-json.js';
import { decodeProtobuf } from './protobuf/decode-protobuf.js';

/**
 * Decodes the inflated body of `POST /opentelemetry/v1/traces`. Nothing in it is an empty request. Single spans that cannot be
 * taken are counted in `rejected`.
 *
 * @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE, never anything else
 */
export function decodeTraces(body: Buffer, encoding: OtlpEncoding): DecodedTraces {
  return atOnce(decodingTraces(body, encoding));
}

/** As {@link decodeTraces}; may be interrupted between spans. */
export function decodingTraces(body: Buffer, encoding: OtlpEncoding): Pieces<DecodedTraces> {
  return encoding === 'json' ? decodeJson(body) : decodeProtobuf(body);
}
