import type { EventLog } from '@assay/event-log';
import { openKafkaEventLog } from '@assay/event-log/kafka';
import {
  endProcess,
  explainRefusal,
  KAFKA,
  kafkaOptions,
  type ConfigOf,
  type kafkaSettings,
  type Logger,
} from '@assay/runtime';

/**
 * Opens the event log of a service that reads it. The process ends when a consumer crashes: it would look healthy and read nothing.
 * @param clientId name of the service in the logs of the brokers
 * @throws when the log cannot be reached
 */
export function openReaderLog(
  config: ConfigOf<typeof kafkaSettings>,
  clientId: string,
  logger: Logger,
): Promise<EventLog> {
  return explainRefusal(KAFKA, () =>
    openKafkaEventLog({ ...kafkaOptions(config, logger), clientId, logger, onCrash: endProcess }),
  );
}
