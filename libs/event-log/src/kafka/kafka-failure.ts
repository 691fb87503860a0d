import { AppError, unavailable } from '@assay/errors';

/** What the client's failures mean: a record that no broker takes is refused, everything else may pass. */
export function kafkaFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (protocolTypeOf(error) === 'MESSAGE_TOO_LARGE') {
    return new AppError('PAYLOAD_TOO_LARGE', 'a record is larger than the topic takes', { cause: error });
  }
  return unavailable('kafka could not be reached or did not confirm', error);
}

/** Kafka's name of the error, such as `NOT_ENOUGH_REPLICAS`, looked for along the chain of causes. */
export function protocolTypeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('type' in error && typeof error.type === 'string') return error.type;
  return protocolTypeOf(error.cause);
}
