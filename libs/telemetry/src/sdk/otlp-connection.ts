import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { TELEMETRY_HEADER } from '../tracing.js';

export interface ConnectionOptions {
  /** Base address; the path of the signal follows it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: 'application/json' | 'application/x-protobuf';
  /** Limit of one export, from its start to the end of the response. */
  readonly timeoutMs: number;
}

/** An export that failed. The reason is a status or the code of a socket: never the address, headers or the response. */
export class ExportFailure extends Error {
  constructor(
    readonly reason: string,
    /** Whether the same export may succeed later. */
    readonly isRetryable: boolean,
  ) {
    super(`export failed: ${reason}`);
  }
}

/** Statuses after which an exporter sends again. Source: OTLP specification, "Failures" of OTLP/HTTP. */
const RETRYABLE = [429, 502, 503, 504];
const MAX_RESPONSE_BYTES = 64 * 1024;

/** One connection to the endpoint of the operator. Redirects are failures, and responses are bounded. */
export class OtlpConnection {
  private readonly base: URL;
  private readonly agent: HttpAgent;
  private readonly send: typeof httpRequest;

  constructor(private readonly options: ConnectionOptions) {
    this.base = new URL(options.endpoint);
    const isEncrypted = this.base.protocol === 'https:';
    this.agent = new (isEncrypted ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 2 });
    this.send = isEncrypted ? httpsRequest : httpRequest;
  }

  /**
   * Sends one message. @param path such as `/v1/traces`
   * @returns the body of the response
   * @throws ExportFailure
   */
  async post(path: string, body: Uint8Array, stopping?: AbortSignal): Promise<Uint8Array> {
    const timeout = AbortSignal.timeout(this.options.timeoutMs);
    const signal = stopping === undefined ? timeout : AbortSignal.any([timeout, stopping]);
    try {
      const response = await this.exchange(path, body, signal);
      return await bodyOf(response);
    } catch (error) {
      if (error instanceof ExportFailure) throw error;
      throw new ExportFailure(signal.aborted ? 'timeout' : socketCode(error), true);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private exchange(path: string, body: Uint8Array, signal: AbortSignal): Promise<IncomingMessage> {
    const { headers, contentType } = this.options;
    return new Promise((resolve, reject) => {
      const request = this.send(
        this.base,
        {
          method: 'POST',
          path: `${this.base.pathname.replace(/\/$/, '')}${path}`,
          agent: this.agent,
          signal,
          headers: {
            ...headers,
            'content-type': contentType,
            'content-length': body.length,
            [TELEMETRY_HEADER]: '1',
          },
        },
        resolve,
      );
      request.on('error', reject);
      request.end(body);
    });
  }
}

async function bodyOf(response: IncomingMessage): Promise<Uint8Array> {
  const { statusCode: status = 0 } = response;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new ExportFailure('response too large', false);
    chunks.push(chunk);
  }
  if (status < 200 || status > 299) throw new ExportFailure(`status ${status}`, RETRYABLE.includes(status));
  return Buffer.concat(chunks);
}

function socketCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'connection';
}
