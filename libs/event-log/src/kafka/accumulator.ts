import { AppError, unavailable } from '@assay/errors';
import { APPEND_DEADLINE_MS } from '../deadline.js';
import type { LogRecord } from '../event-log.js';
import { MAX_RECORD_BYTES, refuseOverload, sizesOf } from '../record-size.js';
import { partitionOf } from './murmur2.js';

/** The records of one request for one partition, in append order. */
export interface OutgoingBatch {
  readonly partition: number;
  readonly records: readonly LogRecord[];
}

export interface AccumulatorOptions {
  readonly partitions: number;
  /** Largest record that the topic takes, and so the largest batch of a partition; {@link MAX_RECORD_BYTES} by default. */
  readonly maxRecordBytes?: number;
  /**
   * Sends the batches, at most one for each partition, as one request per broker. Resolves when all are
   * acknowledged. Must settle within a bounded time.
   */
  send(batches: readonly OutgoingBatch[]): Promise<void>;
}

/** Maximum time that records wait for others to share their request. */
const LINGER_MS = 5;
/** A request of this size is sent without waiting. */
const REQUEST_BYTES = 1024 * 1024;
const REQUEST_RECORDS = 2000;

/** One call of `append`, whose records may be sent in several requests. */
interface Call {
  pending: number;
  settled: boolean;
  settle(failure?: AppError): void;
}

interface Entry {
  readonly record: LogRecord;
  readonly partition: number;
  readonly bytes: number;
  readonly call: Call;
}

/**
 * Accumulates the records of concurrent appends into requests. Only one request is in flight at a time, so a
 * retried request is never overtaken and the records of a key stay in order. A request costs as much as about
 * thirty records, so few large requests are cheaper than many small concurrent ones.
 */
export class Accumulator {
  private queue: Entry[] = [];
  private queuedBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private sending = false;
  private waitingBytes = 0;
  private readonly idleWaiters: (() => void)[] = [];

  private readonly maxRecordBytes: number;
  private readonly requestBytes: number;

  constructor(private readonly options: AccumulatorOptions) {
    this.maxRecordBytes = options.maxRecordBytes ?? MAX_RECORD_BYTES;
    this.requestBytes = Math.min(REQUEST_BYTES, this.maxRecordBytes);
  }

  /**
   * Resolves when all records are acknowledged.
   * @throws AppError `OVERLOADED` (nothing is sent), `PAYLOAD_TOO_LARGE`, `UNAVAILABLE` (some may have been
   * written)
   */
  append(records: readonly LogRecord[]): Promise<void> {
    const { sizes, total } = sizesOf(records, this.maxRecordBytes);
    refuseOverload(this.waitingBytes, total);
    return new Promise((resolve, reject) => {
      const call = makeCall(records.length, resolve, reject);
      records.forEach((record, index) => {
        const partition = partitionOf(record.key, this.options.partitions);
        this.queue.push({ record, partition, bytes: sizes[index] ?? 0, call });
      });
      this.queuedBytes += total;
      this.waitingBytes += total;
      this.schedule();
    });
  }

  /** Resolves when no record waits or is in flight. */
  async idle(): Promise<void> {
    if (this.waitingBytes > 0) await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private schedule(): void {
    if (this.sending) return;
    if (this.queuedBytes >= this.requestBytes || this.queue.length >= REQUEST_RECORDS) this.start();
    else this.timer ??= setTimeout(() => this.start(), LINGER_MS);
  }

  private start(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.sending) return;
    this.sending = true;
    void this.drain();
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      const entries = this.takeRequest();
      if (entries.length > 0) await this.sendRequest(entries);
    }
    this.sending = false;
  }

  /** Takes the records of the next request, without those whose call has failed in the meantime. */
  private takeRequest(): Entry[] {
    const taken: Entry[] = [];
    let bytes = 0;
    let count = 0;
    for (const entry of this.queue) {
      const full =
        taken.length > 0 && (bytes + entry.bytes > this.requestBytes || taken.length === REQUEST_RECORDS);
      if (full) break;
      count += 1;
      if (entry.call.settled) {
        this.release([entry]);
        continue;
      }
      taken.push(entry);
      bytes += entry.bytes;
    }
    for (const removed of this.queue.splice(0, count)) this.queuedBytes -= removed.bytes;
    return taken;
  }

  private async sendRequest(entries: readonly Entry[]): Promise<void> {
    const failure = await this.options.send(byPartition(entries)).then(
      () => undefined,
      (error: unknown) =>
        error instanceof AppError ? error : unavailable('the event log could not be written', error),
    );
    this.release(entries);
    for (const { call } of entries) {
      call.pending -= 1;
      if (failure !== undefined) call.settle(failure);
      else if (call.pending === 0) call.settle();
    }
  }

  private release(entries: readonly Entry[]): void {
    for (const { bytes } of entries) this.waitingBytes -= bytes;
    if (this.waitingBytes > 0) return;
    for (const wake of this.idleWaiters.splice(0)) wake();
  }
}

function byPartition(entries: readonly Entry[]): OutgoingBatch[] {
  const batches = new Map<number, LogRecord[]>();
  for (const { record, partition } of entries) {
    const records = batches.get(partition);
    if (records === undefined) batches.set(partition, [record]);
    else records.push(record);
  }
  return [...batches].map(([partition, records]) => ({ partition, records }));
}

function makeCall(pending: number, resolve: () => void, reject: (error: AppError) => void): Call {
  const onTimeout = () => call.settle(unavailable('the event log did not acknowledge in time'));
  const timer = setTimeout(onTimeout, APPEND_DEADLINE_MS);
  const call: Call = {
    pending,
    settled: false,
    settle: (failure) => {
      call.settled = true;
      clearTimeout(timer);
      if (failure === undefined) resolve();
      else reject(failure);
    },
  };
  return call;
}
