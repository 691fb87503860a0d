import type { ByteContent } from './byte-content.js';
import type { JsonStream, LineStream } from './json-stream.js';

/** A handler's response with more than a body: additional headers, or a status other than 200. */
export class HandlerResponse<T> {
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status = 200,
  ) {}
}

/** A response body that is encoded or read while it is sent. */
type Streamed<T> = JsonStream<T> | LineStream | ByteContent;

/** What an operation returns: a response body, which may be streamed or bytes, with or without headers. */
export type OperationResult<T> = T | Streamed<T> | HandlerResponse<T | Streamed<T>>;

/** Adds headers such as `Preference-Applied` to a response body, or to a response. */
export function withHeaders<T>(
  response: T | HandlerResponse<T>,
  headers: Readonly<Record<string, string>>,
): HandlerResponse<T> {
  if (!(response instanceof HandlerResponse)) return new HandlerResponse(response, headers);
  const { body, headers: own, status } = response;
  return new HandlerResponse(body, { ...own, ...headers }, status);
}

/** A failure whose response has additional headers. */
export class FailureWithHeaders extends Error {
  override readonly name = 'FailureWithHeaders';

  constructor(
    override readonly cause: unknown,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super('the request failed');
  }
}

/** An encoded response. */
export interface WireResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response whose body is not encoded yet. */
export interface UnencodedResponse {
  readonly status: number;
  /** A JSON value, a {@link JsonStream} or a {@link ByteContent}. */
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sent without a charset because some exporters compare the header literally. */
export const JSON_TYPE = 'application/json';

export function jsonResponse(response: unknown): UnencodedResponse {
  if (!(response instanceof HandlerResponse)) return { status: 200, json: response };
  const { status, body, headers } = response as HandlerResponse<unknown>;
  return { status, json: body, headers };
}

/** One JSON value per line. */
export const LINES_TYPE = 'application/x-ndjson';
