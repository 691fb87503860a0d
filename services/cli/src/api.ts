import { CliError } from './cli-error.js';
import type { Settings } from './settings.js';

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** Whose credential is sent. */
  readonly as: 'project' | 'administrator' | 'nobody';
  /** Base URL; that of the API by default. */
  readonly url?: string;
}

/** A replay or a migration takes a while. */
const TIMEOUT_MS = 15 * 60_000;
const MAX_MESSAGE = 500;

/** Calls routes. Every failure is a {@link CliError} that says what to do. */
export class Api {
  constructor(readonly settings: Settings) {}

  async call<Response>({ method = 'GET', path, query = {}, body, as, url }: Call): Promise<Response> {
    const base = url ?? this.settings.url;
    const target = new URL(base + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) target.searchParams.set(name, String(value));
    const reply = await this.#send(target, base, {
      method,
      headers: {
        'user-agent': 'assay-cli',
        ...this.#authorization(as),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw failure(reply.status, text, as);
    return parse<Response>(text, base);
  }

  #authorization(as: Call['as']): Record<string, string> {
    if (as === 'nobody') return {};
    const { settings } = this;
    return { authorization: `Bearer ${as === 'administrator' ? settings.adminToken() : settings.apiKey()}` };
  }

  async #send(target: URL, base: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(target, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      const name = new URL(base).port === new URL(this.settings.url).port ? 'ASSAY_URL' : 'ASSAY_ADMIN_URL';
      throw new CliError(
        `cannot reach ${new URL(base).origin} (${reasonOf(error)}), start Assay or set ${name} to its address`,
      );
    }
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error && error.name === 'TimeoutError' ? 'no response in time' : 'no HTTP response';
}

function failure(status: number, text: string, as: Call['as']): CliError {
  const message = messageOf(text) ?? `the server responded with status ${status}`;
  const name = as === 'administrator' ? 'ASSAY_ADMIN_TOKEN' : 'ASSAY_API_KEY';
  if (status === 401) return new CliError(`${message}, check ${name}`);
  if (status === 403) return new CliError(`${message}, set ${name} to a credential with this right`);
  if (status === 503 || status === 507) return new CliError(`${message}; run \`assay doctor\` for the cause`);
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
    return JSON.parse(text) as Response;
  } catch {
    throw new CliError(`${new URL(base).origin} did not respond as Assay does, check the address`);
  }
}
