import type { BatchMessage } from './batch-message.js';
import { RecordBatch } from './record-batch.js';
import { requestBuffers } from './request-buffers.js';

export interface ProduceData {
  /** -1 waits for all in-sync replicas. */
  readonly acks: number;
  /** Milliseconds that the broker may wait for the replicas. */
  readonly timeout: number;
  readonly topicData: readonly TopicData[];
}

export interface TopicData {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly messages: readonly [BatchMessage] }[];
}

/** Transactional id (none), acks, timeout, number of topics. */
const HEAD_BYTES = 12;
/** Partition number and size of its batch. */
const PARTITION_HEAD_BYTES = 8;

/**
 * The body of a produce request (versions 3 to 7), with the bytes prepended to it. It is encoded once, on the
 * first access to {@link buffer}.
 * Source: Apache Kafka protocol guide, "Produce Request".
 */
export class ProducePayload {
  private readonly batches: readonly (readonly RecordBatch[])[];
  private readonly before: Buffer[] = [];
  private written: Buffer | undefined;

  constructor(
    private readonly data: ProduceData,
    private readonly timestamp: number,
  ) {
    this.batches = data.topicData.map(({ partitions }) =>
      partitions.map(({ messages }) => new RecordBatch(messages[0].records)),
    );
  }

  /** Compresses the batches whose messages ask for it. To be called before the payload is sent. */
  async compress(): Promise<void> {
    const asked = this.batches.flatMap((batches, topic) =>
      batches.filter((_, index) => this.data.topicData[topic]?.partitions[index]?.messages[0].isCompressed),
    );
    await Promise.all(asked.map((batch) => batch.compress()));
  }

  /** Prepends bytes. */
  prepend(bytes: Buffer): this {
    this.before.unshift(bytes);
    return this;
  }

  size(): number {
    const heads = this.data.topicData.reduce(
      (sum, { topic }) => sum + 2 + Buffer.byteLength(topic) + 4,
      HEAD_BYTES,
    );
    const before = this.before.reduce((sum, { length }) => sum + length, 0);
    return this.batches
      .flat()
      .reduce((sum, batch) => sum + PARTITION_HEAD_BYTES + batch.byteLength, heads + before);
  }

  get buffer(): Buffer {
    return (this.written ??= this.write());
  }

  /** To be called when the broker has answered the request. The payload cannot be used afterwards. */
  release(): void {
    if (this.written !== undefined) requestBuffers.release(this.written);
    this.written = undefined;
  }

  private write(): Buffer {
    const target = requestBuffers.take(this.size());
    let at = 0;
    for (const bytes of this.before) at += bytes.copy(target, at);
    at = target.writeInt16BE(-1, at);
    at = target.writeInt16BE(this.data.acks, at);
    at = target.writeInt32BE(this.data.timeout, at);
    at = target.writeInt32BE(this.data.topicData.length, at);
    this.data.topicData.forEach((topic, index) => {
      at = this.writeTopic(target, at, topic, this.batches[index] ?? []);
    });
    return target;
  }

  private writeTopic(
    target: Buffer,
    start: number,
    { topic, partitions }: TopicData,
    batches: readonly RecordBatch[],
  ): number {
    let at = target.writeInt16BE(Buffer.byteLength(topic), start);
    at += target.write(topic, at);
    at = target.writeInt32BE(partitions.length, at);
    batches.forEach((batch, index) => {
      at = target.writeInt32BE(partitions[index]?.partition ?? 0, at);
      at = target.writeInt32BE(batch.byteLength, at);
      batch.writeTo(target, at, this.timestamp);
      at += batch.byteLength;
    });
    return at;
  }
}
