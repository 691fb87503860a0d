/** Body of an error response; a proxy in front of the server may send another one. */
interface ErrorBody {
  readonly message?: string;
  readonly errorCode?: string;
  readonly requestId?: string;
}

/** The server refused a request. The message is the server's sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** When the server wants the request again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, { message, errorCode, requestId }: ErrorBody) {
    super(message ?? `the server responded with ${response.status}`);
    this.status = response.status;
    this.code = errorCode;
    this.requestId = requestId ?? response.headers.get('x-request-id') ?? undefined;
    const seconds = Number(response.headers.get('retry-after') ?? NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

/** There was no response: the server does not run, or the connection was lost. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
  constructor() {
    super('the server cannot be reached');
  }
}

export async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  return new ApiError(response, readBody(text));
}

function readBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
