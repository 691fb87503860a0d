import type { Client } from './client.js';
import type { ApiResponse } from './response.js';
import type { Stack } from './stack.js';

type Headers = Readonly<Record<string, string>>;

/** Sends requests as a page of the console in a browser, which keeps its cookie. */
export class ConsoleBrowser {
  cookie = '';

  constructor(
    private readonly client: Client,
    private readonly stack: Pick<Stack, 'baseUrl'>,
  ) {}

  /** Headers that a browser adds to a request of a page at this address. */
  get ownHeaders(): Headers {
    return { 'sec-fetch-site': 'same-origin', origin: new URL(this.stack.baseUrl).origin };
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Headers = this.ownHeaders,
  ): Promise<ApiResponse> {
    const response = await this.client.call(method, path, {
      key: '',
      headers: { 'content-type': 'application/json', cookie: this.cookie, ...headers },
      ...(body !== undefined && { body }),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.split(';')[0] ?? '';
    return response;
  }

  signIn(body: {
    readonly api_key?: string;
    readonly code?: string;
    readonly annotator?: string;
  }): Promise<ApiResponse> {
    return this.send('POST', '/console/session', body);
  }

  /** Sends a request for a project, as the pages do. */
  of(project: string, method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return this.send(method, path, body, { ...this.ownHeaders, 'assay-project': project });
  }
}
