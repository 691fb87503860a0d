import { cleanString, decodeUtf8, mayHoldUnstorable } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import type { DecodedTraces, Resource, Scope, Span } from '../../messages.js';
import { MAX_SPANS, tooManySpans } from '../../limits.js';
import { Rejections } from '../rejections.js';
import { SharedBytes } from '../shared-bytes.js';
import { readAttributes } from './attributes.js';
import { field, isFields, requiredArray, requiredObject, type Fields } from './fields.js';
import { readSpan } from './read-span.js';
import { readScope, scopeGroups, SPANS, type ScopeGroup } from './scope-groups.js';

/**
 * Decodes an OTLP/JSON `ExportTraceServiceRequest`, with every deviation that existing exporters produce: ids
 * in any case or as base64, enums as names, times as numbers, snake_case, the names before 0.19, null for
 * absent.
 * @throws AppError VALIDATION_ERROR when the body is not JSON or its structure is wrong; PAYLOAD_TOO_LARGE
 * when resource attributes repeated on every span are too large
 */
export function* decodeJson(body: Buffer): Steps<DecodedTraces> {
  const json = withoutByteOrderMark(decodeUtf8(body));
  if (json.trim() === '') return { spans: [], rejected: { count: 0, message: '' } };
  yield;
  const request = requiredObject(parseBody(json), 'the body');
  yield;
  const clean = mayHoldUnstorable(json) ? cleanString : (same: string) => same;
  return yield* new JsonDecoder(clean).decode(request);
}

function parseBody(json: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw validationError('the body is not valid JSON', { cause });
  }
  if (!isFields(value)) throw validationError('the body must be a JSON object');
  return value;
}

function withoutByteOrderMark(json: string): string {
  return json.charCodeAt(0) === 0xfeff ? json.slice(1) : json;
}

class JsonDecoder {
  private readonly spans: Span[] = [];
  private readonly rejections = new Rejections();
  private readonly shared = new SharedBytes();
  private seen = 0;

  constructor(private readonly clean: (text: string) => string) {}

  *decode(request: Fields): Steps<DecodedTraces> {
    checkSignal(request);
    const groups = requiredArray(field(request, 'resourceSpans', 'resource_spans'), 'resourceSpans');
    for (const [index, group] of groups.entries())
      yield* this.readResourceSpans(group, `resourceSpans[${index}]`);
    return { spans: this.spans, rejected: this.rejections.result() };
  }

  private *readResourceSpans(value: unknown, path: string): Steps<void> {
    const group = requiredObject(value, path);
    const scopes = scopeGroups(group, path, SPANS);
    const spanCount = scopes.reduce((sum, scope) => sum + scope.items.length, 0);
    this.seen += spanCount;
    if (this.seen > MAX_SPANS) throw tooManySpans();
    const fields = requiredObject(group['resource'], `${path}.resource`);
    const entries = requiredArray(fields['attributes'], `${path}.resource.attributes`);
    const attributes = this.rejections.guard(
      () => `${path}.resource`,
      () => readAttributes(entries, this.clean),
      spanCount,
    );
    if (attributes === undefined) return;
    this.shared.add(attributes, spanCount);
    for (const scope of scopes) yield* this.readScopeSpans(scope, { attributes });
  }

  private *readScopeSpans(group: ScopeGroup, resource: Resource): Steps<void> {
    const count = group.items.length;
    const scope = this.rejections.guard(
      () => `${group.path}.scope`,
      () => readScope(group, this.clean),
      count,
    );
    if (scope === undefined) return;
    this.shared.add(scope.attributes, count);
    for (const [index, span] of group.items.entries()) {
      yield;
      this.readSpan(span, `${group.path}.spans[${index}]`, resource, scope);
    }
  }

  private readSpan(value: unknown, path: string, resource: Resource, scope: Scope): void {
    const entries = isFields(value) ? requiredArray(value['attributes'], `${path}.attributes`) : [];
    const span = this.rejections.guard(
      () => path,
      () => readSpan(value, entries, { resource, scope, clean: this.clean }),
    );
    if (span !== undefined) this.spans.push(span);
  }
}

/** @throws AppError VALIDATION_ERROR for logs or metrics, which were sent to the address of traces */
function checkSignal(request: Fields): void {
  if (field(request, 'resourceSpans', 'resource_spans') !== undefined) return;
  const isLogs = field(request, 'resourceLogs', 'resource_logs') !== undefined;
  if (isLogs || field(request, 'resourceMetrics', 'resource_metrics') !== undefined)
    throw validationError(`this address accepts spans, not ${isLogs ? 'resourceLogs' : 'resourceMetrics'}`);
}
