import type { JsonValue } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import { BrokenSpan } from '../codec/broken-span.js';
import { instantFromHalves } from '../codec/instants.js';
import { readAnyValue } from '../codec/protobuf/any-value.js';
import { scanLayout, type ResourceLayout, type Slice } from '../codec/protobuf/layout.js';
import { readResource, readScope } from '../codec/protobuf/read-source.js';
import { readAttribute } from '../codec/protobuf/read-span.js';
import { readText } from '../codec/protobuf/text.js';
import { BYTES, FIXED64, VARINT, WireReader } from '../codec/protobuf/wire-reader.js';
import { SharedBytes } from '../codec/shared-bytes.js';
import { collectRecords, type EncodedGroup } from './collect-records.js';
import { LogCollector, type DecodedLogs, type RawRecord } from './log-record.js';

/**
 * Decodes logs in protocol buffers. Resources, scopes and records have the field numbers of resources, scopes
 * and spans, so the body is located and bounded in the same way.
 * @throws AppError VALIDATION_ERROR when the body is truncated or has too many records
 */
export function* decodeProtobufLogs(body: Buffer): Steps<DecodedLogs> {
  const collector = new LogCollector();
  const shared = new SharedBytes();
  for (const group of layoutOf(body)) {
    const encoded: EncodedGroup<Slice> = {
      readResource: () => readResource(body, group.resources),
      scopes: group.scopeSpans.map(({ scopes, spans }) => ({
        readScope: () => readScope(body, scopes),
        items: spans,
      })),
      readRecord: (slice) => readRecord(body, slice),
    };
    yield* collectRecords(encoded, collector, shared);
  }
  return collector.result();
}

function layoutOf(body: Buffer): ResourceLayout[] {
  try {
    return scanLayout(body);
  } catch (cause) {
    if (cause instanceof BrokenSpan)
      throw validationError('the body is truncated or malformed protobuf', { cause });
    throw cause;
  }
}

/** One entry per field of the LogRecord message that is read, by its tag. */
const RECORD_FIELDS = new Map<number, (reader: WireReader, record: RawRecord) => void>([
  [(1 << 3) | FIXED64, (reader, record) => (record.time = instantFromHalves(reader.fixed64(), reader.high))],
  [(2 << 3) | VARINT, (reader, record) => (record.severityNumber = Math.max(0, reader.varint()))],
  [(3 << 3) | BYTES, (reader, record) => (record.severityText = readText(reader))],
  [(5 << 3) | BYTES, (reader, record) => (record.body = readAnyValue(reader, reader.lengthEnd(), 0))],
  [(6 << 3) | BYTES, (reader, record) => readAttribute(reader, record.attributes as Map<string, JsonValue>)],
  [(7 << 3) | VARINT, (reader, record) => (record.droppedAttributesCount = reader.varint())],
  [(9 << 3) | BYTES, (reader, record) => (record.traceId = reader.hex())],
  [(10 << 3) | BYTES, (reader, record) => (record.spanId = reader.hex())],
  [
    (11 << 3) | FIXED64,
    (reader, record) => (record.observed = instantFromHalves(reader.fixed64(), reader.high)),
  ],
  [(12 << 3) | BYTES, (reader, record) => (record.eventName = readText(reader))],
]);

function readRecord(body: Buffer, { start, end }: Slice): RawRecord {
  const reader = new WireReader(body, start, end);
  const record: RawRecord = {
    traceId: '',
    spanId: '',
    eventName: '',
    time: undefined,
    observed: undefined,
    severityNumber: 0,
    severityText: '',
    body: null,
    attributes: new Map(),
    droppedAttributesCount: 0,
  };
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    const read = RECORD_FIELDS.get(tag);
    if (read === undefined) reader.skip(tag);
    else read(reader, record);
  }
  return record;
}
