import type { JsonValue } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import type { DecodedTraces, DecodeOptions, Resource, Scope, Span } from '../../messages.js';
import { BrokenSpan } from '../broken-span.js';
import { Rejections } from '../rejections.js';
import { SharedBytes } from '../shared-bytes.js';
import { scanLayout, type ResourceLayout, type ScopeLayout, type Slice } from './layout.js';
import { readAttribute, readSpan } from './read-span.js';
import { readText } from './text.js';
import { BYTES, WireReader } from './wire-reader.js';

/**
 * Decodes an `ExportTraceServiceRequest` in protocol buffers. Spans are counted before decoding and then
 * decoded one by one, so that a malformed span affects only itself.
 * @throws AppError VALIDATION_ERROR when the body is truncated or has too many spans; PAYLOAD_TOO_LARGE when
 * resource attributes repeated on every span are too large
 */
export function* decodeProtobuf(body: Buffer, options: DecodeOptions = {}): Steps<DecodedTraces> {
  return yield* new ProtobufDecoder(body, options).decode(layoutOf(body));
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

class ProtobufDecoder {
  private readonly spans: Span[] = [];
  private readonly rejections = new Rejections();
  private readonly shared = new SharedBytes();
  private readonly reader: WireReader;

  constructor(
    private readonly body: Buffer,
    { rawText = false }: DecodeOptions,
  ) {
    this.reader = new WireReader(body, 0, 0);
    this.reader.rawText = rawText;
  }

  *decode(layout: readonly ResourceLayout[]): Steps<DecodedTraces> {
    for (const [index, group] of layout.entries())
      yield* this.readResourceSpans(group, `resourceSpans[${index}]`);
    return { spans: this.spans, rejected: this.rejections.result() };
  }

  private *readResourceSpans(group: ResourceLayout, path: string): Steps<void> {
    const count = group.scopeSpans.reduce((sum, scope) => sum + scope.spans.length, 0);
    const resource = this.rejections.guard(
      () => `${path}.resource`,
      () => this.readResource(group.resources),
      count,
    );
    if (resource === undefined) return;
    this.shared.add(resource.attributes, count);
    for (const [index, scope] of group.scopeSpans.entries())
      yield* this.readScopeSpans(scope, `${path}.scopeSpans[${index}]`, resource);
  }

  private readResource(slices: readonly Slice[]): Resource {
    const attributes = new Map<string, JsonValue>();
    for (const slice of slices) {
      const reader = new WireReader(this.body, slice.start, slice.end);
      for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
        if (tag === ((1 << 3) | BYTES)) readAttribute(reader, attributes);
        else reader.skip(tag);
      }
    }
    return { attributes };
  }

  private *readScopeSpans(group: ScopeLayout, path: string, resource: Resource): Steps<void> {
    const scope = this.rejections.guard(
      () => `${path}.scope`,
      () => this.readScope(group.scopes),
      group.spans.length,
    );
    if (scope === undefined) return;
    this.shared.add(scope.attributes, group.spans.length);
    for (const [index, slice] of group.spans.entries()) {
      yield;
      const span = this.rejections.guard(
        () => `${path}.spans[${index}]`,
        () => readSpan(this.reader, slice, resource, scope),
      );
      if (span !== undefined) this.spans.push(span);
    }
  }

  private readScope(slices: readonly Slice[]): Scope {
    const scope = { name: '', version: '', attributes: new Map<string, JsonValue>() };
    for (const slice of slices) {
      const reader = new WireReader(this.body, slice.start, slice.end);
      for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
        if (tag === ((1 << 3) | BYTES)) scope.name = readText(reader);
        else if (tag === ((2 << 3) | BYTES)) scope.version = readText(reader);
        else if (tag === ((3 << 3) | BYTES)) readAttribute(reader, scope.attributes);
        else reader.skip(tag);
      }
    }
    return scope;
  }
}
