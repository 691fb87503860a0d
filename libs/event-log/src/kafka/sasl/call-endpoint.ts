import { request as requestPlain, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';

export interface EndpointCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Authorities of the endpoint in PEM, besides none; absent: those of Node. */
  readonly ca?: Buffer | undefined;
}

export interface EndpointResponse {
  readonly status: number;
  readonly text: string;
}

/** Time of a whole call, and bytes of a response. */
const DEADLINE_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/**
 * Calls an endpoint of the configuration that gives out credentials. Redirects are responses.
 * @throws Error whose message quotes nothing, when there is no complete response within 5 s
 */
export function callEndpoint({ method, url, headers, body, ca }: EndpointCall): Promise<EndpointResponse> {
  const send = url.startsWith('https:') ? requestTls : requestPlain;
  const options: RequestOptions & { ca?: Buffer } = {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    signal: AbortSignal.timeout(DEADLINE_MS),
    agent: false,
    ...(ca !== undefined && { ca }),
  };
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('the endpoint for credentials of Kafka did not respond'));
    const request = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail).on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) request.destroy();
        else chunks.push(chunk);
      });
      response.on('close', () => {
        if (!response.complete || bytes > MAX_BYTES) return fail();
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    request.on('error', fail).end(body);
  });
}

/** Returns the object in JSON; an empty one for anything else. */
export function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
