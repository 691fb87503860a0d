import type { LogRecord } from '../event-log.js';

/**
 * All records of a request for one partition, which kafkajs carries to its encoder as if they were one message: it would copy the list of a partition's messages
 * for each of them. {@link ProducePayload} writes the records themselves.
 */
export class BatchMessage {
  /** kafkajs refuses a message without one. */
  readonly value = null;

  constructor(
    readonly partition: number,
    readonly records: readonly LogRecord[],
  ) {}
}
