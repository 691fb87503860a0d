import { validationError } from '@assay/errors';
import { BrokenSpan } from '../codec/broken-span.js';
import { isFields, requiredArray } from '../codec/json/fields.js';
import type { Slice } from '../codec/protobuf/layout.js';
import { BYTES, WireReader } from '../codec/protobuf/wire-reader.js';
import { runSync, type Steps } from '@assay/runtime';
import type { OtlpEncoding, Rejected } from '../messages.js';

const WHY = 'metrics are not stored: send spans, or gen_ai.* log events with a trace id and a span id';
/** Fields of a metric that hold its data points, by their number. */
const KINDS = new Map([
  [5, 'gauge'],
  [7, 'sum'],
  [9, 'histogram'],
  [10, 'exponentialHistogram'],
  [11, 'summary'],
]);

/**
 * Counts the data points of an inflated `ExportMetricsServiceRequest`, none of which are stored.
 * @throws AppError VALIDATION_ERROR when the body cannot be read
 */
export function rejectMetrics(body: Buffer, encoding: OtlpEncoding): Rejected {
  return runSync(rejectMetricsSteps(body, encoding));
}

/** Cooperative version of {@link rejectMetrics}: yields between metrics. */
export function* rejectMetricsSteps(body: Buffer, encoding: OtlpEncoding): Steps<Rejected> {
  const count = encoding === 'json' ? yield* countJson(body) : yield* countProtobuf(body);
  return { count, message: count === 0 ? '' : WHY };
}

function* countProtobuf(body: Buffer): Steps<number> {
  try {
    return yield* pointsIn(body);
  } catch (cause) {
    if (cause instanceof BrokenSpan)
      throw validationError('the body is truncated or malformed protobuf', { cause });
    throw cause;
  }
}

function* pointsIn(body: Buffer): Steps<number> {
  let count = 0;
  for (const metric of metricsIn(body)) {
    yield;
    for (const kind of KINDS.keys())
      for (const data of slicesOf(body, metric, kind)) count += yield* lengthOf(slicesOf(body, data, 1));
  }
  return count;
}

function* metricsIn(body: Buffer): Generator<Slice> {
  for (const resource of slicesOf(body, { start: 0, end: body.length }, 1))
    for (const scope of slicesOf(body, resource, 2)) yield* slicesOf(body, scope, 2);
}

/** Number of slices; yields now and then, because one metric may hold the whole body. */
function* lengthOf(slices: Iterable<Slice>): Steps<number> {
  let count = 0;
  for (const _ of slices) if (++count % 1000 === 0) yield;
  return count;
}

/** Embedded messages with this field number, one after another. */
function* slicesOf(body: Buffer, within: Slice, number: number): Generator<Slice> {
  const reader = new WireReader(body, within.start, within.end);
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag !== ((number << 3) | BYTES)) {
      reader.skip(tag);
      continue;
    }
    const end = reader.lengthEnd();
    yield { start: reader.at, end };
    reader.at = end;
  }
}

function* countJson(body: Buffer): Steps<number> {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return 0;
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch (cause) {
    throw validationError('the body is not valid JSON', { cause });
  }
  if (!isFields(request)) throw validationError('the body must be a JSON object');
  for (const name of ['resourceSpans', 'resourceLogs'])
    if (request[name] !== undefined) throw validationError(`this address accepts metrics, not ${name}`);
  const resources = listIn(request, 'resourceMetrics', 'resource_metrics');
  const metrics = resources
    .flatMap((resource) => listIn(resource, 'scopeMetrics', 'scope_metrics'))
    .flatMap((scope) => listIn(scope, 'metrics', 'metrics'));
  let count = 0;
  for (const metric of metrics) {
    yield;
    count += pointsOf(metric);
  }
  return count;
}

function listIn(value: unknown, camel: string, snake: string): readonly unknown[] {
  return isFields(value) ? requiredArray(value[camel] ?? value[snake], camel) : [];
}

function pointsOf(metric: unknown): number {
  if (!isFields(metric)) return 0;
  const kinds = [...KINDS.values(), 'exponential_histogram'];
  return kinds.reduce((total, kind) => total + listIn(metric[kind], 'dataPoints', 'data_points').length, 0);
}
