import type { Kafka, Message, Producer } from 'kafkajs';
import { unavailable } from '@assay/errors';

/** Time that a broker may wait for its replicas; below the request timeout of the client. */
const REPLICATION_MS = 2_300;

/** Makes a producer for {@link sendMessages}: its partitioner returns the partition of the message, which the accumulator has chosen. */
export function makeProducer(kafka: Kafka): Producer {
  return kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
}

/**
 * Sends messages, each to its partition, and resolves when all are acknowledged. kafkajs also resolves when it has not sent
 * one: it retries a send only with brokers that have not responded to it, so it leaves out a partition whose leader becomes a broker that
 * has; and it leaves out a partition that the metadata does not have. Those are sent again.
 * @throws AppError `UNAVAILABLE` when nothing of what is left is acknowledged, and the errors of kafkajs
 */
export async function sendMessages(
  producer: Pick<Producer, 'send'>,
  topic: string,
  messages: readonly (Message & { readonly partition: number })[],
): Promise<void> {
  let left = messages;
  while (left.length > 0) {
    const send = { topic, acks: -1, timeout: REPLICATION_MS, messages: [...left] };
    const acknowledged = new Set((await producer.send(send)).map(({ partition }) => partition));
    const missing = left.filter(({ partition }) => !acknowledged.has(partition));
    if (missing.length === left.length) throw unavailable('kafka has not acknowledged all partitions');
    left = missing;
  }
}
