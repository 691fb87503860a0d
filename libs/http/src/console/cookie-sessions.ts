import type { IncomingMessage } from 'node:http';
import type { IsTrustedProxy } from '../request/client-address.js';
import type { ConsoleOptions } from './console-options.js';
import { makeSessionSeal, type Session, type SessionSeal } from './sealed-session.js';
import { clearCookie, cookieOf, readCookie, setCookie } from './session-cookie.js';
import { expiryOf, IDLE_SECONDS, stillValid } from './session-rules.js';
import { siteOf, type Site } from './site.js';

/** Reads and writes the sessions in cookies. */
export class CookieSessions {
  readonly #seal: SessionSeal;

  constructor(
    private readonly options: Pick<ConsoleOptions, 'secrets' | 'allowsHttp'>,
    private readonly isTrustedProxy: IsTrustedProxy,
    /** Unix milliseconds. */
    private readonly clock: () => number,
  ) {
    this.#seal = makeSessionSeal(options.secrets);
  }

  /** Unix seconds. */
  now(): number {
    return Math.floor(this.clock() / 1_000);
  }

  siteOf(request: IncomingMessage): Site | undefined {
    return siteOf(request, this.isTrustedProxy);
  }

  /**
   * Returns the session of a request; undefined without one, or when it has ended or is not genuine.
   * @throws AppError where this address has no sessions, see {@link cookieOf}
   */
  read(request: IncomingMessage): Session | undefined {
    const { name } = cookieOf(this.siteOf(request), this.options.allowsHttp);
    const text = readCookie(request.headers, name);
    return text === undefined ? undefined : stillValid(this.#seal.open(text), this.now());
  }

  /** Returns the header that begins or prolongs a session. @throws AppError see {@link cookieOf} and {@link setCookie} */
  write(request: IncomingMessage, session: Omit<Session, 'expires'>): string {
    const { keys, annotator, person } = session;
    const expires = expiryOf(session, this.now());
    const sealed = this.#seal.seal({ keys, annotator, expires, ...(person && { person }) });
    return setCookie(this.#cookieOf(request), sealed, Math.min(IDLE_SECONDS, expires - this.now()));
  }

  /** Returns the header that ends a session in the browser. */
  clear(request: IncomingMessage): string {
    return clearCookie(this.#cookieOf(request));
  }

  #cookieOf(request: IncomingMessage) {
    return cookieOf(this.siteOf(request), this.options.allowsHttp);
  }
}
