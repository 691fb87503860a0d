import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { TestCertificate } from '@assay/runtime/test/test-certificates';

export interface HttpsRequest {
  /** Path of the authority that has signed the server's certificate. */
  readonly caFile: string;
  /** Certificate that the client shows. */
  readonly client?: TestCertificate;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends one request on a connection of its own. Rejects when TLS cannot be established. */
export async function sendOverTls(url: string, { caFile, client, body, ...rest }: HttpsRequest) {
  const options: RequestOptions = {
    ...rest,
    agent: false,
    ca: readFileSync(caFile),
    ...(client && { cert: readFileSync(client.certFile), key: readFileSync(client.keyFile) }),
  };
  const outgoing = request(url, options).end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [Readable & { statusCode: number }];
  return { status: response.statusCode, body: await text(response) };
}
