import type { logCreator, LogEntry } from 'kafkajs';
import type { LogFields, Logger } from '@assay/runtime';

/** Fields of kafkajs log entries that hold only names and numbers, so they cannot contain payloads. */
const FIELDS = [
  'groupId',
  'memberId',
  'broker',
  'topic',
  'partition',
  'retryCount',
  'retryTime',
  'error',
  'errorName',
] as const;

/**
 * Forwards the log of kafkajs under a fixed phrase, with its own message as a field. Its errors become
 * warnings, because it reports each attempt that it retries.
 */
export function logCreatorFor(logger: Logger): logCreator {
  return () => (entry) => {
    const fields = fieldsOf(entry);
    // Levels of kafkajs: 1 error, 2 warning, 4 information, 5 debug.
    if (Number(entry.level) <= 2) logger.warn('kafka client', fields);
    else logger.debug('kafka client', fields);
  };
}

function fieldsOf({ namespace, log }: LogEntry): LogFields {
  const known = FIELDS.map((name) => [name, log[name] as unknown] as const).filter(
    (field): field is [(typeof FIELDS)[number], string | number] =>
      typeof field[1] === 'string' || typeof field[1] === 'number',
  );
  return { namespace, clientMessage: log.message, ...Object.fromEntries(known) };
}
