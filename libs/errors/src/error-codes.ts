/** HTTP status of a code, and whether a retry of the same request may succeed. */
export interface ErrorKind {
  readonly status: number;
  readonly retryable: boolean;
}

/**
 * The table of error codes. Consumers of the event log retry on retryable errors and dead-letter a record on any other.
 */
export const ERROR_CODES = {
  VALIDATION_ERROR: { status: 400, retryable: false },
  UNAUTHORIZED: { status: 401, retryable: false },
  FORBIDDEN: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  REQUEST_TIMEOUT: { status: 408, retryable: true },
  CONFLICT: { status: 409, retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  RANGE_NOT_SATISFIABLE: { status: 416, retryable: false },
  /** The code of a metric raised, or there is no completion of a model. */
  execution_error: { status: 422, retryable: false },
  compilation_error: { status: 422, retryable: false },
  template_render_error: { status: 422, retryable: false },
  llm_response_parse_error: { status: 422, retryable: false },
  /** A limit of a project or key, or too many attempts to sign in; the load of a process is `OVERLOADED`. */
  RATE_LIMITED: { status: 429, retryable: true },
  HEADERS_TOO_LARGE: { status: 431, retryable: false },
  INTERNAL_ERROR: { status: 500, retryable: true },
  UNAVAILABLE: { status: 503, retryable: true },
  OVERLOADED: { status: 503, retryable: true },
  INSUFFICIENT_STORAGE: { status: 507, retryable: true },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_CODES;
