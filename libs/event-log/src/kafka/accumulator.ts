import { AppError, unavailable } from '@assay/errors';
import { APPEND_DEADLINE_MS } from '../deadline.js';
import type { LogRecord } from '../event-log.js';
import { recordBytes, refuseOverload, totalBytes } from '../record-size.js';
import { partitionOf } from './murmur2.js';

/** A record on its way, with the partition that it goes to. */
export interface OutgoingRecord extends LogRecord {
  readonly partition: number;
}

export interface AccumulatorOptions {
  readonly partitions: number;
  /** Sends the records as one request per broker; resolves when all are acknowledged. Must end by itself. */
  send(records: readonly OutgoingRecord[]): Promise<void>;
}

/** A request waits this long for company … */
const LINGER_MS = 5;
/** … unless it reaches this size first. */
const REQUEST_BYTES = 256 * 1024;
const REQUEST_RECORDS = 500;
/** Requests on their way at most: one per lane. */
const LANES = 4;

/** One call of `append`, whose records may travel in several requests. */
interface Call {
  left: number;
  settled: boolean;
  settle(failure?: AppError): void;
}

interface Entry {
  readonly record: OutgoingRecord;
  readonly bytes: number;
  readonly call: Call;
}

interface Lane {
  queue: Entry[];
  bytes: number;
  timer: NodeJS.Timeout | undefined;
  sending: boolean;
}

/**
 * Gathers the records of concurrent appends into requests. Each partition belongs to one lane, and a lane has one request on its way:
 * so a retried request is never overtaken, and the records of a key stay in order.
 */
export class Accumulator {
  private readonly lanes: readonly Lane[];
  private waitingBytes = 0;
  private readonly idleWaiters: (() => void)[] = [];

  constructor(private readonly options: AccumulatorOptions) {
    const count = Math.min(LANES, options.partitions);
    this.lanes = Array.from({ length: count }, () => ({ queue: [], bytes: 0, timer: undefined, sending: false }));
  }

  /**
   * Resolves when all records are acknowledged.
   * @throws AppError `OVERLOADED` (nothing is sent), `PAYLOAD_TOO_LARGE`, `UNAVAILABLE` (some may have been written)
   */
  append(records: readonly LogRecord[]): Promise<void> {
    refuseOverload(this.waitingBytes, totalBytes(records));
    return new Promise((resolve, reject) => {
      const call = makeCall(records.length, resolve, reject);
      for (const record of records) this.enqueue(record, call);
    });
  }

  /** Resolves when nothing is on its way any more. */
  async idle(): Promise<void> {
    if (this.waitingBytes > 0) await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private enqueue(record: LogRecord, call: Call): void {
    const partition = partitionOf(record.key, this.options.partitions);
    const lane = this.lanes[partition % this.lanes.length];
    if (lane === undefined) return;
    const bytes = recordBytes(record);
    lane.queue.push({ record: { key: record.key, value: record.value, headers: record.headers, partition }, bytes, call });
    lane.bytes += bytes;
    this.waitingBytes += bytes;
    if (lane.sending) return;
    if (lane.bytes >= REQUEST_BYTES || lane.queue.length >= REQUEST_RECORDS) this.startLane(lane);
    else lane.timer ??= setTimeout(() => this.startLane(lane), LINGER_MS);
  }

  private startLane(lane: Lane): void {
    clearTimeout(lane.timer);
    lane.timer = undefined;
    if (lane.sending) return;
    lane.sending = true;
    void this.drainLane(lane);
  }

  private async drainLane(lane: Lane): Promise<void> {
    // The rest of the append that filled the lane is still being queued.
    await Promise.resolve();
    while (lane.queue.length > 0) {
      const entries = this.takeRequest(lane);
      if (entries.length > 0) await this.sendRequest(entries);
    }
    lane.sending = false;
  }

  /** The next records to send; those whose call has failed meanwhile are left out. */
  private takeRequest(lane: Lane): Entry[] {
    const taken: Entry[] = [];
    let bytes = 0;
    let count = 0;
    for (const entry of lane.queue) {
      const full = taken.length > 0 && (bytes + entry.bytes > REQUEST_BYTES || taken.length === REQUEST_RECORDS);
      if (full) break;
      count += 1;
      if (entry.call.settled) {
        this.release([entry]);
        continue;
      }
      taken.push(entry);
      bytes += entry.bytes;
    }
    for (const { bytes: gone } of lane.queue.splice(0, count)) lane.bytes -= gone;
    return taken;
  }

  private async sendRequest(entries: readonly Entry[]): Promise<void> {
    const failure = await this.options.send(entries.map(({ record }) => record)).then(
      () => undefined,
      (error: unknown) => (error instanceof AppError ? error : unavailable('the event log could not be written', error)),
    );
    this.release(entries);
    for (const { call } of entries) {
      call.left -= 1;
      if (failure !== undefined) call.settle(failure);
      else if (call.left === 0) call.settle();
    }
  }

  private release(entries: readonly Entry[]): void {
    for (const { bytes } of entries) this.waitingBytes -= bytes;
    if (this.waitingBytes > 0) return;
    for (const wake of this.idleWaiters.splice(0)) wake();
  }
}

function makeCall(left: number, resolve: () => void, reject: (error: AppError) => void): Call {
  const late = () => call.settle(unavailable('the event log did not confirm in time'));
  const timer = setTimeout(late, APPEND_DEADLINE_MS);
  const call: Call = {
    left,
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
