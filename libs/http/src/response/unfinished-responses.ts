import type { ServerResponse } from 'node:http';
import { AppError } from '@assay/errors';
import { errorResponse } from './error-response.js';
import type { WireResponse } from './response.js';

/** Limits the responses that their clients have not taken, of what anybody may ask for without a key. */
export class UnfinishedResponses {
  #count = 0;

  constructor(private readonly max: number) {}

  /** Counts a response until it is closed. @returns false when there are too many, and the response should be {@link tooManyUnfinished} */
  begin(response: ServerResponse): boolean {
    if (this.#count >= this.max) return false;
    this.#count++;
    response.once('close', () => this.#count--);
    return true;
  }
}

/** Ends the connection, so that requests which a client has sent behind this one cost nothing. */
export function tooManyUnfinished(requestId: string): WireResponse {
  const error = new AppError(
    'OVERLOADED',
    'too many clients receive documents, send the request again later',
  );
  const response = errorResponse(error, { requestId });
  return { ...response, headers: { ...response.headers, Connection: 'close' } };
}
