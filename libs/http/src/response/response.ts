/** An answer with more than a body: further headers, or a status other than 200. */
export class Answer<T> {
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status = 200,
  ) {}
}

/** Wraps a body with headers such as `Preference-Applied`. */
export function withHeaders<T>(body: T, headers: Readonly<Record<string, string>>): Answer<T> {
  return new Answer(body, headers);
}

/** An answer in the bytes that go out. */
export interface WireResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Written without a charset: some exporters compare the header literally. */
export const JSON_TYPE = 'application/json';

export function jsonResponse<T>(answer: T | Answer<T>): WireResponse {
  if (!(answer instanceof Answer))
    return { status: 200, contentType: JSON_TYPE, body: JSON.stringify(answer) };
  return {
    status: answer.status,
    contentType: JSON_TYPE,
    body: JSON.stringify(answer.body),
    headers: answer.headers,
  };
}
