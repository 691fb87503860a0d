import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeMessage } from '@assay/otlp';

/** A request of an exporter. */
export interface ReceivedExport {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A span, with ids in hexadecimal digits. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly droppedLinks: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** `service.name` and others. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

export interface OtlpReceiver {
  readonly url: string;
  readonly received: readonly ReceivedExport[];
  /** Returns the spans that have arrived. */
  spans(): ReceivedSpan[];
  stop(): Promise<void>;
}

/** Starts a receiver of OTLP/HTTP on loopback. @param respond how it responds once a request has arrived; 200 without content when absent */
export async function startOtlpReceiver(respond?: RequestListener): Promise<OtlpReceiver> {
  const received: ReceivedExport[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, bytes: Buffer.concat(chunks) });
      if (respond) respond(request, response);
      else response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () => received.filter(({ path }) => path.endsWith('/v1/traces')).flatMap(spansOf),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface SpanLink {
  readonly traceId: Uint8Array | string;
  readonly spanId: Uint8Array | string;
}
interface Span extends SpanLink {
  readonly name: string;
  readonly parentSpanId?: Uint8Array | string;
  readonly droppedLinksCount?: number;
  readonly attributes?: readonly Attribute[];
  readonly links?: readonly SpanLink[];
}
interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

function spansOf({ headers, bytes }: ReceivedExport): ReceivedSpan[] {
  const isJson = headers['content-type'] === 'application/json';
  const content = isJson
    ? (JSON.parse(bytes.toString()) as unknown)
    : decodeMessage('ExportTraceServiceRequest', bytes);
  return (content as Traces).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => toSpan(span, resource.attributes))),
  );
}

function toSpan(span: Span, resource: readonly Attribute[]): ReceivedSpan {
  return {
    name: span.name,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId ?? ''),
    droppedLinks: span.droppedLinksCount ?? 0,
    attributes: valuesOf(span.attributes ?? []),
    resource: valuesOf(resource),
    links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId: hex(traceId), spanId: hex(spanId) })),
  };
}

function hex(id: Uint8Array | string): string {
  return typeof id === 'string' ? id : Buffer.from(id).toString('hex');
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
