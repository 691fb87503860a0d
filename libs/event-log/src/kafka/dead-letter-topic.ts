import { randomUUID } from 'node:crypto';
import type { Admin, Consumer, EachMessagePayload, Kafka, Message } from 'kafkajs';
import type { Logger } from '@assay/runtime';
import { withDeadline } from '../deadline.js';
import type { ConsumedRecord, DeadLetter, DeadLetterReason, LogRecord } from '../event-log.js';
import { MAX_RECORD_BYTES } from '../record-size.js';
import { toConsumedRecord } from './consumed-record.js';
import { toWireHeaders } from './wire-headers.js';

const READ_DEADLINE_MS = 60_000;
/** Approximate maximum size of one result. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024;

/** Header with the origin of a dead letter; the other headers are those of the record. */
const ORIGIN = 'assay.dead-letter';

interface Origin extends DeadLetterReason {
  readonly partition: number;
  readonly offset: number;
  /** Unix milliseconds; absent in letters of older versions. */
  readonly at?: number;
}

/**
 * Converts a record to a message of the dead-letter topic, which has one partition.
 * @param at when it became a dead letter, in Unix milliseconds
 */
export function toDeadLetterMessage(
  record: LogRecord & Pick<DeadLetter, 'partition' | 'offset'>,
  reason: DeadLetterReason,
  at: number,
): Message {
  const origin: Origin = { ...reason, partition: record.partition, offset: record.offset, at };
  return {
    key: record.key,
    value: record.value,
    partition: 0,
    headers: toWireHeaders({ ...record.headers, [ORIGIN]: JSON.stringify(origin) }),
  };
}

function toDeadLetter({ key, value, headers, offset: id, appendedAt }: ConsumedRecord): DeadLetter {
  const { [ORIGIN]: text = '{}', ...original } = headers;
  const { partition, offset, at = appendedAt, ...reason } = JSON.parse(text) as Origin;
  return { id, at, key, value, headers: original, partition, offset, reason };
}

export interface DeadLetterTopic {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly topic: string;
  readonly topicPrefix: string;
  readonly logger: Logger;
}

/** Reads the oldest dead letters with larger offsets than `after`, as a temporary consumer group that commits nothing. */
export async function readDeadLetters(
  source: DeadLetterTopic,
  limit: number,
  after: number,
): Promise<DeadLetter[]> {
  const [bounds] = await source.admin.fetchTopicOffsets(source.topic);
  const from = Math.max(Number(bounds?.low ?? 0), after + 1);
  const high = Number(bounds?.high ?? 0);
  if (high <= from || limit <= 0) return [];
  const groupId = `${source.topicPrefix}dead-letters-${randomUUID()}`;
  const consumer = source.kafka.consumer({
    groupId,
    maxBytesPerPartition: MAX_RECORD_BYTES + 1024 * 1024,
    maxWaitTimeInMs: 500,
  });
  try {
    const reading = collect(consumer, source.topic, { count: Math.min(limit, high - from), from, high });
    return await withDeadline(reading, READ_DEADLINE_MS, 'the dead letters could not be read in time');
  } finally {
    await consumer.disconnect();
    await source.admin
      .deleteGroups([groupId])
      .catch((error: unknown) =>
        source.logger.debug('deleting a temporary consumer group failed', { cause: typeof error }),
      );
  }
}

async function collect(
  consumer: Consumer,
  topic: string,
  { count, from, high }: { readonly count: number; readonly from: number; readonly high: number },
): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  let bytes = 0;
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    const eachMessage = ({ partition, message }: EachMessagePayload): Promise<void> => {
      if (Number(message.offset) < from) return Promise.resolve();
      bytes += message.value?.length ?? 0;
      const full = letters.length >= count || (letters.length > 0 && bytes > MAX_RESULT_BYTES);
      if (!full) letters.push(toDeadLetter(toConsumedRecord(partition, message)));
      if (full || letters.length === count || Number(message.offset) >= high - 1) resolve();
      return Promise.resolve();
    };
    consumer.run({ autoCommit: false, eachMessage }).catch(reject);
    consumer.seek({ topic, partition: 0, offset: String(from) });
  });
  return letters;
}
