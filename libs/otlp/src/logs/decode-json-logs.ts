import { cleanString, decodeUtf8, mayHoldUnstorable } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import { BrokenSpan } from '../codec/broken-span.js';
import { readInstant } from '../codec/instants.js';
import { readAnyValue } from '../codec/json/any-value.js';
import { readAttributes } from '../codec/json/attributes.js';
import { readSeverityNumber } from '../codec/json/enums.js';
import {
  field,
  isFields,
  requiredArray,
  requiredObject,
  spanArray,
  text,
  unsigned,
  type Fields,
} from '../codec/json/fields.js';
import { LOG_RECORDS, readScope, scopeGroups } from '../codec/json/scope-groups.js';
import { SharedBytes } from '../codec/shared-bytes.js';
import { hexId } from '../codec/span-ids.js';
import { MAX_SPANS, tooManySpans } from '../limits.js';
import type { Instant, Resource } from '../messages.js';
import { collectRecords, countItems, type EncodedGroup } from './collect-records.js';
import { LogCollector, type DecodedLogs, type RawRecord } from './log-record.js';

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
    const group = encodedGroup(requiredObject(value, 'resourceLogs[]'), clean);
    seen += countItems(group);
    if (seen > MAX_SPANS) throw tooManySpans();
    yield* collectRecords(group, collector, shared);
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

function encodedGroup(group: Fields, clean: Clean): EncodedGroup<unknown> {
  return {
    readResource: () => readResource(group, clean),
    scopes: scopeGroups(group, 'resourceLogs[]', LOG_RECORDS).map((scope) => ({
      readScope: () => readScope(scope, clean),
      items: scope.items,
    })),
    readRecord: (item) => readRecord(item, clean),
  };
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
    severityNumber: readSeverityNumber(field(value, 'severityNumber', 'severity_number')),
    severityText: clean(text(field(value, 'severityText', 'severity_text'))),
    body: readAnyValue(value['body'], clean) ?? null,
    attributes: readAttributes(spanArray(value['attributes'], 'attributes'), clean),
    droppedAttributesCount: unsigned(field(value, 'droppedAttributesCount', 'dropped_attributes_count')),
  };
}

/** An unreadable time is treated as missing. */
function readTime(value: unknown): Instant | undefined {
  const time = readInstant(value);
  return time === 'invalid' ? undefined : time;
}
