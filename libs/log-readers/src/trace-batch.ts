import { RECORD_HEADERS } from '@assay/contracts';
import type { ConsumedRecord, ConsumerLoopOptions } from '@assay/event-log';
import { within, type Tracing } from '@assay/telemetry';

type Handle = ConsumerLoopOptions['handle'];

/**
 * Returns the handler with a span of each batch that has records of sampled requests, in a trace of its own with links to these
 * requests. Without such records, as in a batch of exported telemetry alone, there is no span.
 */
export function traceBatches(tracing: Tracing | undefined, name: string, handle: Handle): Handle {
  if (tracing === undefined) return handle;
  return (batch, reject, guarded) => {
    const traceparents = tracesOf(batch);
    if (traceparents.length === 0) return handle(batch, reject, guarded);
    const span = tracing.startLinked(name, traceparents, {
      'assay.records': batch.length,
      'assay.partition': batch[0]?.partition ?? 0,
    });
    return within(span, () => handle(batch, reject, guarded));
  };
}

function tracesOf(batch: readonly ConsumedRecord[]): string[] {
  const traceparents: string[] = [];
  for (const { headers } of batch) {
    const traceparent = headers[RECORD_HEADERS.trace];
    if (traceparent !== undefined) traceparents.push(traceparent);
  }
  return traceparents;
}
