import { cleanString, decodeUtf8, mayHoldUnstorable } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import { BrokenSpan } from '../codec/broken-span.js';
import { readInstant } from '../codec/instants.js';
import { readAnyValue } from '../codec/json/any-value.js';
import { readAttributes } from '../codec/json/attributes.js';
import {
  field,
  isFields,
  requiredArray,
  requiredObject,
  spanArray,
  text,
  type Fields,
} from '../codec/json/fields.js';
import { SharedBytes } from '../codec/shared-bytes.js';
import { hexId } from '../codec/span-ids.js';
import { MAX_SPANS, tooManySpans } from '../limits.js';
import type { Instant, Resource, Scope } from '../messages.js';
import { LogCollector, type DecodedLogs, type RawRecord } from './log-record.js';

const NO_SCOPE: Scope = { name: '', version: '', attributes: new Map() };
type Clean = (text: string) => string;

/**
 * Decodes logs in OTLP/JSON, with the deviations that the decoder of traces accepts.
 * @throws AppError VALIDATION_ERROR when the body is not JSON, its structure is wrong, or it has no logs
 */
export function* decodeJsonLogs(body: Buffer): Steps<DecodedLogs> {
  const json = decodeUtf8(body).replace(/^\ufeff/, '');
  const collector = new LogCollector();
  if (json.trim() === '') return collector.result();
  yield;
  const request = parseRequest(json);
  const clean: Clean = mayHoldUnstorable(json) ? cleanString : (same) => same;
  const shared = new SharedBytes();
  let seen = 0;
  for (const value of requiredArray(field(request, 'resourceLogs', 'resource_logs'), 'resourceLogs')) {
    const group = requiredObject(value, 'resourceLogs[]');
    const records = recordsOf(group);
    seen += records.length;
    if (seen > MAX_SPANS) throw tooManySpans();
    const resource = guarded(() => readResource(group, clean));
    if (resource === undefined) collector.reject(records.length);
    else shared.add(resource.attributes, records.length);
    for (const entry of resource === undefined ? [] : records) {
      yield;
      const record = guarded(() => readRecord(entry, clean));
      if (record === undefined) collector.reject();
      else collector.add(record, resource as Resource, NO_SCOPE);
    }
  }
  return collector.result();
}

function parseRequest(json: string): Fields {
  let request: unknown;
  try {
    request = JSON.parse(json);
  } catch (cause) {
    throw validationError('the body is not valid JSON', { cause });
  }
  if (!isFields(request)) throw validationError('the body must be a JSON object');
  for (const name of ['resourceSpans', 'resourceMetrics'])
    if (request[name] !== undefined) throw validationError(`this address accepts logs, not ${name}`);
  return request;
}

function recordsOf(group: Fields): unknown[] {
  const scopes = requiredArray(field(group, 'scopeLogs', 'scope_logs'), 'scopeLogs');
  return scopes.flatMap((value) => {
    const scope = requiredObject(value, 'scopeLogs[]');
    return requiredArray(field(scope, 'logRecords', 'log_records'), 'logRecords');
  });
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

function readResource(group: Fields, clean: Clean): Resource {
  const fields = requiredObject(group['resource'], 'resource');
  return { attributes: readAttributes(spanArray(fields['attributes'], 'resource.attributes'), clean) };
}

function readRecord(value: unknown, clean: Clean): RawRecord {
  if (!isFields(value)) throw new BrokenSpan('a log record must be an object');
  return {
    traceId: hexId(text(field(value, 'traceId', 'trace_id'))),
    spanId: hexId(text(field(value, 'spanId', 'span_id'))),
    eventName: clean(text(field(value, 'eventName', 'event_name'))),
    time: readTime(field(value, 'timeUnixNano', 'time_unix_nano')),
    observed: readTime(field(value, 'observedTimeUnixNano', 'observed_time_unix_nano')),
    body: readAnyValue(value['body'], clean) ?? null,
    attributes: readAttributes(spanArray(value['attributes'], 'attributes'), clean),
  };
}

/** An unreadable time is treated as missing. */
function readTime(value: unknown): Instant | undefined {
  const time = readInstant(value);
  return time === 'invalid' ? undefined : time;
}
