import { createInterface } from 'node:readline';
import { parseExactJson } from '@assay/domain';
import { CliError, PassingError } from './cli-error.js';
import type { TlsOptions } from './connection.js';
import { open, readReply, send, type Outgoing, type Reply } from './send.js';
import type { Settings } from './settings.js';

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** An object, or its JSON text. */
  readonly body?: object | string;
  /** Seconds to wait for data that was just written. */
  readonly waitSeconds?: number;
  /** Whose credential is sent. */
  readonly as: 'project' | 'administrator' | 'nobody' | { readonly key: string };
  /** Base URL; that of the API by default. */
  readonly url?: string;
  /** How long to wait for the response; 15 minutes by default. */
  readonly timeoutMs?: number;
}

type Request = Omit<Outgoing, 'timeoutMs' | 'tls'>;

/** A replay or a migration takes a while. */
const TIMEOUT_MS = 15 * 60_000;
/** A day: an export of many events takes hours. */
export const STREAM_TIMEOUT_MS = 24 * 60 * 60_000;
const MAX_MESSAGE = 500;

/** Calls routes. Every failure is a {@link CliError} that says what to do. */
export class Api {
  constructor(
    readonly settings: Settings,
    private readonly tls: TlsOptions,
  ) {}

  async call<Response>(call: Call): Promise<Response> {
    const { base, target, request } = this.#requestOf(call);
    const reply = await this.#connect(base, () =>
      send(target, { ...request, timeoutMs: call.timeoutMs ?? TIMEOUT_MS, tls: this.tls }),
    );
    if (!isSuccess(reply)) throw failure(reply, call.as);
    return parse<Response>(reply.text, base);
  }

  /** Calls a route that responds with a line of JSON for each item, and yields the lines. A response that ends early throws. */
  async *lines(call: Call): AsyncGenerator<string> {
    const { base, target, request } = this.#requestOf(call);
    const headers = { ...request.headers, accept: 'application/x-ndjson' };
    const response = await this.#connect(base, () =>
      open(target, { ...request, headers, timeoutMs: STREAM_TIMEOUT_MS, tls: this.tls }),
    );
    if (response.statusCode !== 200) throw failure(await readReply(response), call.as);
    try {
      for await (const line of createInterface({ input: response, crlfDelay: Infinity }))
        if (line !== '') yield line;
    } catch {
      throw new PassingError('the response broke off');
    } finally {
      response.destroy();
    }
    if (!response.complete) throw new PassingError('the response broke off');
  }

  #requestOf({ method = 'GET', path, query = {}, body, waitSeconds, as, url }: Call) {
    const base = url ?? this.settings.url;
    const target = new URL(base + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) target.searchParams.set(name, String(value));
    const request: Request = {
      method,
      headers: {
        'user-agent': 'assay-cli',
        ...this.#authorization(as),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    return { base, target, request };
  }

  #authorization(as: Call['as']): Record<string, string> {
    if (as === 'nobody') return {};
    if (typeof as === 'object') return { authorization: `Bearer ${as.key}` };
    const { settings } = this;
    return { authorization: `Bearer ${as === 'administrator' ? settings.adminToken() : settings.apiKey()}` };
  }

  async #connect<T>(base: string, connect: () => Promise<T>): Promise<T> {
    try {
      return await connect();
    } catch (error) {
      const name = new URL(base).port === new URL(this.settings.url).port ? 'ASSAY_URL' : 'ASSAY_ADMIN_URL';
      throw unreachable(new URL(base), reasonOf(error), name);
    }
  }
}

function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status <= 299;
}

/** Reasons of a failed TLS connection, and what to do about them. */
const TLS_ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_UNTRUSTED/,
    'the authority of its certificate is unknown, set --ca to the file of its authorities',
  ],
  [/ALTNAME/, 'its certificate is for another name, set --server-name to a name in the certificate'],
  [
    /ALERT|ECONNRESET|EPIPE/,
    'it closed the connection, set --cert and --key if it requires a client certificate',
  ],
  [/WRONG_VERSION|PACKET_LENGTH/, 'it does not use TLS, begin the address with http:'],
];

function unreachable({ origin, protocol }: URL, reason: string, name: string): CliError {
  const [, advice] = TLS_ADVICE.find(([pattern]) => protocol === 'https:' && pattern.test(reason)) ?? [];
  if (advice !== undefined) return new CliError(`cannot reach ${origin} (${reason}): ${advice}`);
  return new CliError(`cannot reach ${origin} (${reason}), start Assay or set ${name} to its address`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no HTTP response';
  if (error.cause instanceof Error && error.cause.name === 'TimeoutError') return 'no response in time';
  return 'code' in error && typeof error.code === 'string' ? error.code : 'no HTTP response';
}

function failure({ status, text, retryAfterMs }: Reply, as: Call['as']): CliError {
  const message = messageOf(text) ?? `the server responded with status ${status}`;
  const name = as === 'administrator' ? 'ASSAY_ADMIN_TOKEN' : 'ASSAY_API_KEY';
  if (status === 401) return new CliError(`${message}, check ${name}`);
  if (status === 403) return new CliError(`${message}, set ${name} to a credential with this right`);
  if (status === 503) return new PassingError(`${message}; run \`assay doctor\` for the cause`, retryAfterMs);
  if (status === 507) return new CliError(`${message}; run \`assay doctor\` for the cause`);
  if (status === 429) return new PassingError(message, retryAfterMs);
  return new CliError(message);
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message.slice(0, MAX_MESSAGE) : undefined;
  } catch {
    return undefined;
  }
}

function parse<Response>(text: string, base: string): Response {
  try {
    return parseExactJson(text) as Response;
  } catch {
    throw new CliError(`${new URL(base).origin} did not respond as Assay does, check the address`);
  }
}
