import type { IncomingHttpHeaders } from 'node:http';

/** Attributes of a span: never payloads, secrets or query strings. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span that is recorded. Requests that are not sampled have none. */
export interface RecordedSpan {
  /** `traceparent` (W3C Trace Context) that names this span, for what follows from it. */
  readonly traceparent: string;
  startChild(name: string, attributes?: SpanAttributes): RecordedSpan;
  set(attributes: SpanAttributes): void;
  /** Ends the span. `errorType` is the class or the code of a failure; absent after a success. */
  end(errorType?: string): void;
}

/** What the spans of a route have in common. */
export interface TracedRoute {
  /** Name of the span: the method and the template of the route. */
  readonly name: string;
  readonly attributes: SpanAttributes;
}

/** Makes the spans of a process. Never throws and never waits. */
export interface Tracing {
  /** Returns the span of a request; undefined when it is not sampled or when it is an export of telemetry. */
  startRequest(route: TracedRoute, headers: IncomingHttpHeaders): RecordedSpan | undefined;
  /** Returns the span of work that follows from the sampled requests that `traceparents` names, in a trace of its own with links to them. */
  startLinked(
    name: string,
    traceparents: readonly string[],
    attributes: SpanAttributes,
  ): RecordedSpan | undefined;
}

/** Header of requests that export telemetry. They are not traced: an endpoint may be this process, or one that exports to it. */
export const TELEMETRY_HEADER = 'x-assay-telemetry';

/** Runs work within the span, and ends it with the class of a failure. Without a span it only runs the work. */
export async function within<T>(span: RecordedSpan | undefined, work: () => Promise<T>): Promise<T> {
  if (span === undefined) return work();
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
