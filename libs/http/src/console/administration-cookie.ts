import type { IncomingMessage } from 'node:http';
import type { IsTrustedProxy } from '../request/client-address.js';
import type { ConsoleOptions } from './console-options.js';
import { makeAdministrationSeal, type Administration, type Seal } from './sealed-session.js';
import {
  administrationCookie,
  clearCookie,
  cookieOf,
  readCookie,
  setCookie,
  type CookieOfSite,
} from './session-cookie.js';
import { siteOf } from './site.js';

/** Administration is locked again after this time, in seconds, however much it is used. */
export const UNLOCKED_SECONDS = 60 * 60;

/** Reads and writes the cookie that holds the administrator's token for an hour. */
export class AdministrationCookie {
  readonly #seal: Seal<Administration>;

  constructor(
    private readonly options: Pick<ConsoleOptions, 'secrets' | 'allowsHttp'>,
    private readonly isTrustedProxy: IsTrustedProxy,
    /** Unix milliseconds. */
    private readonly clock: () => number,
  ) {
    this.#seal = makeAdministrationSeal(options.secrets);
  }

  /** Returns what a request may administer with; undefined while administration is locked. @throws AppError see {@link cookieOf} */
  read(request: IncomingMessage): Administration | undefined {
    const text = readCookie(request.headers, this.#cookieOf(request).name);
    const opened = text === undefined ? undefined : this.#seal.open(text);
    return opened !== undefined && opened.expires > this.#now() ? opened : undefined;
  }

  /** Unlocks for an hour. @throws AppError see {@link cookieOf} and {@link setCookie} */
  write(request: IncomingMessage, token: string): { readonly cookie: string; readonly expires: number } {
    const expires = this.#now() + UNLOCKED_SECONDS;
    const sealed = this.#seal.seal({ token, expires });
    return { cookie: setCookie(this.#cookieOf(request), sealed, UNLOCKED_SECONDS), expires };
  }

  /** Returns the header that locks administration in the browser. @throws AppError see {@link cookieOf} */
  clear(request: IncomingMessage): string {
    return clearCookie(this.#cookieOf(request));
  }

  #now(): number {
    return Math.floor(this.clock() / 1_000);
  }

  #cookieOf(request: IncomingMessage): CookieOfSite {
    return administrationCookie(cookieOf(siteOf(request, this.isTrustedProxy), this.options.allowsHttp));
  }
}
