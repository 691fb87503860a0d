import type { LogRecord } from '../event-log.js';

/**
 * All records of a request for one partition, disguised as one kafkajs message. kafkajs copies the list of a
 * partition's messages once per message, so passing the records separately would be quadratic. {@link
 * ProducePayload} writes the records themselves.
 */
export class BatchMessage {
  /** kafkajs rejects a message without a `value`. */
  readonly value = null;

  constructor(
    readonly partition: number,
    readonly records: readonly LogRecord[],
    /** Whether the records are sent in gzip where that makes them smaller. */
    readonly isCompressed = false,
  ) {}
}
