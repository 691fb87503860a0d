import { cleanString, decodeUtf8, mayHoldUnstorable } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import type { DecodedTraces, Resource, Scope, Span } from '../../messages.js';
import { MAX_SPANS, tooManySpans } from '../../limits.js';
import { Rejections } from '../rejections.js';
import { SharedBytes } from '../shared-bytes.js';
import { readAttributes } from './attributes.js';
import { field, isFields, requiredArray, requiredObject, text, type Fields } from './fields.js';
import { readSpan } from './read-span.js';

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
    const scopes = scopeGroups(group, path);
    const spanCount = scopes.reduce((sum, scope) => sum + scope.spans.length, 0);
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
    const entries = requiredArray(group.scope['attributes'], `${group.path}.scope.attributes`);
    const count = group.spans.length;
    const attributes = this.rejections.guard(
      () => `${group.path}.scope`,
      () => readAttributes(entries, this.clean),
      count,
    );
    if (attributes === undefined) return;
    this.shared.add(attributes, count);
    const scope: Scope = {
      name: this.clean(text(group.scope['name'])),
      version: this.clean(text(group.scope['version'])),
      attributes,
    };
    for (const [index, span] of group.spans.entries()) {
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

interface ScopeGroup {
  readonly path: string;
  readonly scope: Fields;
  readonly spans: readonly unknown[];
}

/** Scope groups of a resource under the current name and the name before 0.19. */
function scopeGroups(group: Fields, path: string): ScopeGroup[] {
  const today = requiredArray(field(group, 'scopeSpans', 'scope_spans'), `${path}.scopeSpans`);
  const before = field(group, 'instrumentationLibrarySpans', 'instrumentation_library_spans');
  const old = requiredArray(before, `${path}.instrumentationLibrarySpans`);
  return [
    ...today.map((value, index) => scopeGroup(value, `${path}.scopeSpans[${index}]`)),
    ...old.map((value, index) => scopeGroup(value, `${path}.instrumentationLibrarySpans[${index}]`)),
  ];
}

function scopeGroup(value: unknown, path: string): ScopeGroup {
  const group = requiredObject(value, path);
  const scope = group['scope'] ?? field(group, 'instrumentationLibrary', 'instrumentation_library');
  return {
    path,
    scope: requiredObject(scope, `${path}.scope`),
    spans: requiredArray(group['spans'], `${path}.spans`),
  };
}
