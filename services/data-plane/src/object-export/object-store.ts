import { webcrypto } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@assay/errors';
import { AwsV4Signer } from 'aws4fetch';

/** A bucket with the S3 protocol. The operator sets it, so that it may have a private address. */
export interface ObjectStoreOptions {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Beginning of all keys, without slashes at its ends; empty: none. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface PutOptions {
  readonly contentType: string;
  /** Whether to write nothing when there is an object. */
  readonly onlyIfAbsent?: boolean;
  /** Of the body, where it is known. */
  readonly sha256?: string;
  readonly signal: AbortSignal;
}

const REQUEST_TIMEOUT_MS = 60_000;
const RETRY_DELAYS_MS = [500, 2_000];
/** Bytes of a response that are read: of a manifest with thousands of files, and of an error. */
const MAX_RESPONSE_BYTES = 4 * 1024 ** 2;
const ERROR_CODE = /<Code>([A-Za-z0-9]{1,64})<\/Code>/;

interface ObjectRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly sha256?: string | undefined;
  readonly signal: AbortSignal;
}

interface ObjectResponse {
  readonly status: number;
  readonly body: Buffer;
  /** Code of an error; empty: none was sent. */
  readonly code: string;
}

/** Objects of a bucket. Every failure is an `AppError` `UNAVAILABLE`, whose reason names the status and the code alone: no key, no address, no value. */
export class ObjectStore {
  constructor(private readonly options: ObjectStoreOptions) {}

  /**
   * Writes an object. `exists`: there was one, which the request may have written itself in an attempt whose response was lost.
   * After a failure the object may be there.
   */
  async put(key: string, body: Buffer, options: PutOptions): Promise<'written' | 'exists'> {
    const { contentType, onlyIfAbsent = false, sha256, signal } = options;
    const headers = { 'content-type': contentType, ...(onlyIfAbsent && { 'if-none-match': '*' }) };
    const response = await this.send({ method: 'PUT', key, headers, body, sha256, signal });
    if (response.status === 412 && onlyIfAbsent) return 'exists';
    if (response.status !== 200) throw refused('PUT', response);
    return 'written';
  }

  /** Returns an object of at most 4 MiB; undefined when there is none. */
  async get(key: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const response = await this.send({ method: 'GET', key, signal });
    if (response.status === 404 && response.code !== 'NoSuchBucket') return undefined;
    if (response.status !== 200) throw refused('GET', response);
    return response.body;
  }

  async delete(key: string, signal: AbortSignal): Promise<void> {
    const response = await this.send({ method: 'DELETE', key, signal });
    if (response.status >= 300 && response.status !== 404) throw refused('DELETE', response);
  }

  /** Sends a request, and again where the store could not be reached or is overloaded. */
  private async send(request: ObjectRequest): Promise<ObjectResponse> {
    for (let attempt = 0; ; attempt++) {
      const waitMs = RETRY_DELAYS_MS[attempt];
      try {
        const response = await this.sendOnce(request);
        const mayPass = response.status >= 500 || response.status === 429 || response.status === 409;
        if (!mayPass || response.status === 501 || waitMs === undefined) return response;
      } catch (error) {
        if (request.signal.aborted || waitMs === undefined) throw unreachable(error);
      }
      await delay(waitMs, undefined, { signal: request.signal });
    }
  }

  private async sendOnce({
    method,
    key,
    headers,
    body,
    sha256,
    signal,
  }: ObjectRequest): Promise<ObjectResponse> {
    const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } = this.options;
    const path = [bucket, ...(prefix === '' ? [] : [prefix]), key].join('/');
    const bodyHash = sha256 ?? (await sha256Of(body ?? Buffer.alloc(0)));
    const signer = new AwsV4Signer({
      ...{ method, url: `${endpoint.replace(/\/+$/, '')}/${path}`, service: 's3', region },
      ...{ accessKeyId, secretAccessKey, headers: { ...headers, 'x-amz-content-sha256': bodyHash } },
    });
    const { url, headers: signed } = await signer.sign();
    const within = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    const response = await fetch(url, { method, headers: signed, body, redirect: 'manual', signal: within });
    const read = await readBody(response);
    const code = response.status < 300 ? '' : (ERROR_CODE.exec(read.toString())?.[1] ?? '');
    return { status: response.status, body: read, code };
  }
}

/** Returns the hash of bytes as text. Those of a file take tens of milliseconds, on another thread. */
export async function sha256Of(bytes: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('the response is too large');
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

function refused(method: string, { status, code }: ObjectResponse): AppError {
  return storeError('the object store refused a request', `${method} ${status} ${code}`.trimEnd());
}

/** The cause may quote the address; the log has its code alone. */
function unreachable(error: unknown): AppError {
  const cause = error instanceof Error ? error.cause : undefined;
  const codes = [error, cause].flatMap((one) =>
    one instanceof Error && 'code' in one && typeof one.code === 'string' ? [one.code] : [],
  );
  return storeError(
    'the object store is unreachable',
    codes[0] ?? (error instanceof Error ? error.name : ''),
  );
}

/** Returns what an error of a store says for the log, whose lines have no messages of errors. */
export function reasonOf(error: unknown): { readonly reason?: string } {
  const reason = error instanceof AppError ? error.details.reason : undefined;
  return typeof reason === 'string' ? { reason } : {};
}

/** @param reason is logged */
export function storeError(message: string, reason: string): AppError {
  return new AppError('UNAVAILABLE', message, { details: { reason } });
}
