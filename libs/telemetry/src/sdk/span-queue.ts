import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Metrics } from '@assay/runtime';

/** About 2 MB. */
const MAX_QUEUED = 2_048;

/** Why spans were not exported. */
export type DropReason = 'queue_full' | 'refused' | 'shutdown';

/** Spans that have ended and are not exported yet. It is bounded: a span that does not fit is dropped and counted. */
export class SpanQueue implements SpanProcessor {
  private spans: ReadableSpan[] = [];
  private readonly dropped: ReturnType<typeof droppedSpans>;
  private readonly exported: ReturnType<typeof exportedSpans>;

  constructor(metrics: Metrics) {
    this.dropped = droppedSpans(metrics);
    this.exported = exportedSpans(metrics);
  }

  get length(): number {
    return this.spans.length;
  }

  onStart(): void {
    // Spans are taken when they end.
  }

  onEnd(span: ReadableSpan): void {
    if (this.spans.length < MAX_QUEUED) this.spans.push(span);
    else this.dropped.inc({ reason: 'queue_full' });
  }

  /** Returns the oldest spans, which stay in the queue. */
  first(count: number): readonly ReadableSpan[] {
    return this.spans.slice(0, count);
  }

  /** Removes the oldest spans, of which the endpoint has refused some. */
  removeExported(count: number, refused: number): void {
    this.spans = this.spans.slice(count);
    this.exported.inc(count - refused);
    if (refused > 0) this.dropped.inc({ reason: 'refused' }, refused);
  }

  /** Removes the oldest spans without an export. */
  drop(count: number, reason: DropReason): void {
    this.spans = this.spans.slice(count);
    this.dropped.inc({ reason }, count);
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

function droppedSpans(metrics: Metrics) {
  const dropped = metrics.counter(
    'assay_telemetry_spans_dropped_total',
    'Spans of this process that were not exported',
    ['reason'],
  );
  for (const reason of ['queue_full', 'refused', 'shutdown']) dropped.inc({ reason }, 0);
  return dropped;
}

function exportedSpans(metrics: Metrics) {
  return metrics.counter('assay_telemetry_spans_exported_total', 'Spans of this process that were exported');
}
