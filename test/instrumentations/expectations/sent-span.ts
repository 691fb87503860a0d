import type { FoundEvent, ProgramEnd } from '../scene/programs.js';

/** A span as the SDK of the client saw it, before it was sent. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** The spans that a program of ours printed. */
export function sentSpans({ stdout }: ProgramEnd): SentSpan[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as SentSpan);
}

/** The events that were made of a span: one, if all is well. */
export function eventsOf(span: SentSpan, events: readonly FoundEvent[]): FoundEvent[] {
  return events.filter(({ metadata }) => metadata.span_id === span.spanId);
}
