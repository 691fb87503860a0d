/** Why a call to a provider gave no response. The message names no key, body or query. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly reason:
      | 'refused'
      | 'unconnected'
      | 'unreachable'
      | 'stale'
      | 'timeout'
      | 'aborted'
      | 'too_large',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
