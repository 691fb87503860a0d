import type { KafkaMessage } from 'kafkajs';
import type { ConsumedRecord } from '../event-log.js';
import { fromWireHeaders } from './wire-headers.js';

/** Converts a message of the topic to a record with its partition and offset. */
export function toConsumedRecord(partition: number, message: KafkaMessage): ConsumedRecord {
  return {
    key: message.key?.toString() ?? '',
    value: message.value ?? Buffer.alloc(0),
    headers: fromWireHeaders(message.headers),
    partition,
    offset: Number(message.offset),
    appendedAt: Number(message.timestamp),
  };
}
