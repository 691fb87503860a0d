import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { AlwaysOnSampler, BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Sample } from '../sampler.js';
import { parseTraceparent, sampledTraceparent, type TraceParent } from '../trace-parent.js';
import { TELEMETRY_HEADER, type RecordedSpan, type SpanAttributes, type Tracing } from '../tracing.js';

export interface TracingOptions {
  readonly resource: Resource;
  readonly processor: SpanProcessor;
  readonly sample: Sample;
  readonly version: string;
}

/** Links of a span. The others are only counted, in `assay.links.dropped`. */
const MAX_LINKS = 32;

/** Returns the tracing of a process. The SDK sees sampled requests only. */
export function makeTracing({ resource, processor, sample, version }: TracingOptions): Tracing {
  const provider = new BasicTracerProvider({
    resource,
    // The decision is made before the SDK is called.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
    spanLimits: { linkCountLimit: MAX_LINKS, attributeValueLengthLimit: 256 },
  });
  const tracer = provider.getTracer('assay', version);
  return {
    startRequest({ name, attributes }, headers) {
      if (headers[TELEMETRY_HEADER] !== undefined) return undefined;
      const parent =
        headers['traceparent'] === undefined ? undefined : parseTraceparent(headers['traceparent']);
      if (!sample(parent)) return undefined;
      const context = parent === undefined ? ROOT_CONTEXT : contextOf(parent);
      return new SdkSpan(tracer, tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, context));
    },
    startLinked(name, traceparents, attributes) {
      const links = linksOf(traceparents);
      if (links.length === 0) return undefined;
      const dropped = traceparents.length - links.length;
      const counted = dropped > 0 ? { ...attributes, 'assay.links.dropped': dropped } : attributes;
      const options = { kind: SpanKind.CONSUMER, links, attributes: counted, root: true };
      return new SdkSpan(tracer, tracer.startSpan(name, options, ROOT_CONTEXT));
    },
  };
}

function linksOf(traceparents: readonly string[]): Link[] {
  const links: Link[] = [];
  for (const text of traceparents) {
    if (links.length === MAX_LINKS) break;
    const parent = parseTraceparent(text);
    if (parent !== undefined) links.push({ context: spanContextOf(parent) });
  }
  return links;
}

function spanContextOf({ traceId, spanId }: TraceParent): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

function contextOf(parent: TraceParent) {
  return trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
}

class SdkSpan implements RecordedSpan {
  readonly traceparent: string;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
  ) {
    this.traceparent = sampledTraceparent(span.spanContext());
  }

  startChild(name: string, attributes: SpanAttributes = {}): RecordedSpan {
    const context = trace.setSpan(ROOT_CONTEXT, this.span);
    return new SdkSpan(this.tracer, this.tracer.startSpan(name, { attributes }, context));
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  end(errorType?: string): void {
    if (errorType !== undefined) {
      this.span.setAttribute('error.type', errorType);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}
