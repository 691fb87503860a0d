import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import type { DecodedTraces, DecodeOptions, Resource, Span } from '../../messages.js';
import { BrokenSpan } from '../broken-span.js';
import { Rejections } from '../rejections.js';
import { SharedBytes } from '../shared-bytes.js';
import { scanLayout, type ResourceLayout, type ScopeLayout } from './layout.js';
import { readResource, readScope } from './read-source.js';
import { readSpan } from './read-span.js';
import { WireReader } from './wire-reader.js';

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
      () => readResource(this.body, group.resources),
      count,
    );
    if (resource === undefined) return;
    this.shared.add(resource.attributes, count);
    for (const [index, scope] of group.scopeSpans.entries())
      yield* this.readScopeSpans(scope, `${path}.scopeSpans[${index}]`, resource);
  }

  private *readScopeSpans(group: ScopeLayout, path: string, resource: Resource): Steps<void> {
    const scope = this.rejections.guard(
      () => `${path}.scope`,
      () => readScope(this.body, group.scopes),
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
}
