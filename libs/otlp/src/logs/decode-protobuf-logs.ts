import type { JsonValue } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import { BrokenSpan } from '../codec/broken-span.js';
import { instantFromHalves } from '../codec/instants.js';
import { readAnyValue } from '../codec/protobuf/any-value.js';
import { scanLayout, type ResourceLayout, type Slice } from '../codec/protobuf/layout.js';
import { readAttribute } from '../codec/protobuf/read-span.js';
import { readText } from '../codec/protobuf/text.js';
import { BYTES, FIXED64, WireReader } from '../codec/protobuf/wire-reader.js';
import { SharedBytes } from '../codec/shared-bytes.js';
import type { Resource, Scope } from '../messages.js';
import { LogCollector, type DecodedLogs, type RawRecord } from './log-record.js';

const NO_SCOPE: Scope = { name: '', version: '', attributes: new Map() };

/**
 * Decodes logs in protocol buffers. Resources, scopes and records have the field numbers of resources, scopes
 * and spans, so the body is located and bounded in the same way.
 * @throws AppError VALIDATION_ERROR when the body is truncated or has too many records
 */
export function* decodeProtobufLogs(body: Buffer): Steps<DecodedLogs> {
  const collector = new LogCollector();
  const shared = new SharedBytes();
  for (const group of layoutOf(body)) {
    const slices = group.scopeSpans.flatMap(({ spans }) => spans);
    const resource = guarded(() => readResource(body, group.resources));
    if (resource === undefined) collector.reject(slices.length);
    else shared.add(resource.attributes, slices.length);
    for (const slice of resource === undefined ? [] : slices) {
      yield;
      const record = guarded(() => readRecord(body, slice));
      if (record === undefined) collector.reject();
      else collector.add(record, resource as Resource, NO_SCOPE);
    }
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

/** A malformed part affects only itself. */
function guarded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenSpan) return undefined;
    throw error;
  }
}

function readResource(body: Buffer, slices: readonly Slice[]): Resource {
  const attributes = new Map<string, JsonValue>();
  for (const { start, end } of slices) {
    const reader = new WireReader(body, start, end);
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      if (tag === ((1 << 3) | BYTES)) readAttribute(reader, attributes);
      else reader.skip(tag);
    }
  }
  return { attributes };
}

/** One entry per field of the LogRecord message that is read, by its tag. */
const RECORD_FIELDS = new Map<number, (reader: WireReader, record: RawRecord) => void>([
  [(1 << 3) | FIXED64, (reader, record) => (record.time = instantFromHalves(reader.fixed64(), reader.high))],
  [(5 << 3) | BYTES, (reader, record) => (record.body = readAnyValue(reader, reader.lengthEnd(), 0))],
  [(6 << 3) | BYTES, (reader, record) => readAttribute(reader, record.attributes as Map<string, JsonValue>)],
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
    body: null,
    attributes: new Map(),
  };
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    const read = RECORD_FIELDS.get(tag);
    if (read === undefined) reader.skip(tag);
    else read(reader, record);
  }
  return record;
}
