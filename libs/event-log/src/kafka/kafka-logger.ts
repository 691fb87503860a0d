import type { logCreator, LogEntry } from 'kafkajs';
import type { LogFields, Logger } from '@assay/runtime';

/** Fields of the client's log entries that are known to hold names and numbers only. */
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
 * Passes the client's log on: the phrase stays fixed, its own message goes into a field. Its errors become warnings, because it
 * reports each try of something that it goes on to retry.
 */
export function logCreatorFor(logger: Logger): logCreator {
  return () => (entry) => {
    const fields = fieldsOf(entry);
    // Levels of the client: 1 error, 2 warning, 4 information, 5 debug.
    if (Number(entry.level) <= 2) logger.warn('kafka client', fields);
    else logger.debug('kafka client', fields);
  };
}

function fieldsOf({ namespace, log }: LogEntry): LogFields {
  const known = FIELDS.map((name) => [name, log[name] as unknown] as const).filter(
    (field): field is [(typeof FIELDS)[number], string | number] =>
      typeof field[1] === 'string' || typeof field[1] === 'number',
  );
  return { namespace, said: log.message, ...Object.fromEntries(known) };
}
