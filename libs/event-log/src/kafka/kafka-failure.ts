import { AppError, unavailable } from '@assay/errors';

/**
 * Maps a failure of kafkajs to an `AppError`. Only a record that no broker accepts is a permanent failure.
 */
export function kafkaFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (protocolTypeOf(error) === 'MESSAGE_TOO_LARGE') {
    return new AppError('PAYLOAD_TOO_LARGE', 'a record is larger than the topic allows', { cause: error });
  }
  return unavailable('kafka is unreachable or did not acknowledge', error);
}

/** Returns Kafka's name of the error, such as `NOT_ENOUGH_REPLICAS`, from the chain of causes. */
export function protocolTypeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('type' in error && typeof error.type === 'string') return error.type;
  return protocolTypeOf(error.cause);
}
