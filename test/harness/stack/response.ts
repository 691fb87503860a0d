/** A response whose body has been read. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. @throws when it is not */
  json<T = Record<string, unknown>>(): T;
}
