import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { FailureLog } from './failure-log.js';
import { ExportFailure, type OtlpConnection } from './otlp-connection.js';
import type { SpanQueue } from './span-queue.js';

export interface SpanExportOptions {
  readonly queue: SpanQueue;
  readonly connection: OtlpConnection;
  readonly failures: FailureLog;
  readonly isJson: boolean;
  /** Time between two exports, in milliseconds. */
  readonly intervalMs: number;
}

/** Encoding so many takes about 2 ms of the event loop. */
const BATCH_SPANS = 200;
const MAX_BACKOFF_MS = 60_000;

/** Exports the spans of a queue from time to time, one request after the other. A failure that may pass is retried with backoff. */
export class SpanExport {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private failed = 0;
  private isStopped = false;

  constructor(private readonly options: SpanExportOptions) {
    this.schedule(options.intervalMs);
  }

  /** Exports what is queued until the signal aborts; the rest is dropped and counted. */
  async stop(signal: AbortSignal): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await Promise.race([this.running, aborted(signal)]);
    while (this.options.queue.length > 0 && !signal.aborted && (await this.exportBatch(signal)));
    if (this.options.queue.length > 0) this.options.queue.drop(this.options.queue.length, 'shutdown');
  }

  private schedule(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.exportAll().then(() => this.schedule(this.delayMs()));
    }, delayMs).unref();
  }

  private delayMs(): number {
    const { intervalMs } = this.options;
    return Math.max(intervalMs, Math.min(intervalMs * 2 ** this.failed, MAX_BACKOFF_MS));
  }

  private async exportAll(): Promise<void> {
    while (this.options.queue.length > 0 && !this.isStopped && (await this.exportBatch()));
  }

  /** @returns whether the endpoint has taken or refused the spans */
  private async exportBatch(stopping?: AbortSignal): Promise<boolean> {
    const { queue, connection, failures, isJson } = this.options;
    const spans = queue.first(BATCH_SPANS);
    const serializer = isJson ? JsonTraceSerializer : ProtobufTraceSerializer;
    try {
      const body = serializer.serializeRequest([...spans]);
      if (body === undefined) throw new ExportFailure('not encoded', false);
      const response = await connection.post('/v1/traces', body, stopping);
      queue.removeExported(spans.length, refusedOf(serializer, response));
      this.failed = 0;
      return true;
    } catch (error) {
      const { reason, isRetryable } = error instanceof ExportFailure ? error : NOT_ENCODED;
      failures.add('traces', reason);
      this.failed += 1;
      if (!isRetryable) queue.drop(spans.length, 'refused');
      return false;
    }
  }
}

const NOT_ENCODED = new ExportFailure('not encoded', false);

function refusedOf(serializer: typeof JsonTraceSerializer, response: Uint8Array): number {
  if (response.length === 0) return 0;
  try {
    return Number(serializer.deserializeResponse(response).partialSuccess?.rejectedSpans ?? 0);
  } catch {
    // The status says that the spans were taken; some proxies send a text of their own.
    return 0;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
