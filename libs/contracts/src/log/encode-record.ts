import { validationError } from '@assay/errors';
import {
  READ_VERSIONS,
  RECORD_HEADERS,
  RECORD_KINDS,
  RECORD_VERSION,
  type DecodedRecord,
  type EventRecord,
  type RecordKind,
} from './event-record.js';

/** Record in the form that a log stores: a partition key, a value in bytes, and string headers. */
export interface EncodedRecord {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const FRESH = '1';

/**
 * Headers by content: all records of a project and kind share one object, so that a log encodes it once.
 * Bounded by {@link MAX_SHARED}.
 */
const sharedHeaders = new Map<string, EncodedRecord['headers']>();
/** The latest of them: most records follow one of the same project and kind. */
let latest: (Pick<EventRecord, 'kind' | 'projectId' | 'fresh'> & Pick<EncodedRecord, 'headers'>) | undefined;
const MAX_SHARED = 4_096;

export function encodeRecord(record: EventRecord): EncodedRecord {
  return { key: record.eventId, value: record.value, headers: headersOf(record) };
}

function headersOf(record: EventRecord): EncodedRecord['headers'] {
  const shared = sharedHeadersOf(record);
  return record.updateId === undefined ? shared : { ...shared, [RECORD_HEADERS.update]: record.updateId };
}

function sharedHeadersOf({ kind, projectId, fresh }: EventRecord): EncodedRecord['headers'] {
  if (latest?.kind === kind && latest.projectId === projectId && latest.fresh === fresh)
    return latest.headers;
  const headers = sharedHeadersByName({ kind, projectId, fresh });
  latest = { kind, projectId, fresh, headers };
  return headers;
}

function sharedHeadersByName({
  kind,
  projectId,
  fresh,
}: Pick<EventRecord, 'kind' | 'projectId' | 'fresh'>): EncodedRecord['headers'] {
  const name = `${kind}/${fresh}/${projectId}`;
  const shared = sharedHeaders.get(name);
  if (shared) return shared;
  const headers = Object.freeze({
    [RECORD_HEADERS.version]: RECORD_VERSION,
    [RECORD_HEADERS.kind]: kind,
    [RECORD_HEADERS.project]: projectId,
    ...(fresh ? { [RECORD_HEADERS.fresh]: FRESH } : {}),
  });
  if (sharedHeaders.size >= MAX_SHARED) sharedHeaders.clear();
  sharedHeaders.set(name, headers);
  return headers;
}

/**
 * Decodes a record of {@link encodeRecord}, except for its value.
 * @throws AppError `VALIDATION_ERROR` for an unknown version or kind, or a missing project or key
 */
export function decodeRecord(encoded: EncodedRecord): DecodedRecord {
  const { headers } = encoded;
  const version = READ_VERSIONS.find((known) => known === headers[RECORD_HEADERS.version]);
  if (version === undefined) throw validationError('unknown record version');
  const kind = headers[RECORD_HEADERS.kind];
  if (!isRecordKind(kind)) throw validationError('unknown record kind');
  const projectId = headers[RECORD_HEADERS.project];
  if (!projectId) throw validationError('the record has no project');
  if (encoded.key === '') throw validationError('the record has no event id');
  const fresh = headers[RECORD_HEADERS.fresh] === FRESH;
  const updateId = headers[RECORD_HEADERS.update];
  const identity = updateId === undefined ? {} : { updateId };
  return { version, kind, projectId, eventId: encoded.key, fresh, ...identity, value: encoded.value };
}

function isRecordKind(kind: string | undefined): kind is RecordKind {
  return RECORD_KINDS.some((known) => known === kind);
}
