import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@assay/errors';
import type { Site } from './site.js';

/** Browsers keep a cookie of this name only when this very address has set it, and send it only there. */
const SECURE_NAME = '__Host-assay';
const PLAIN_NAME = 'assay-console';
/** Ends the names of the cookie that unlocks administration. */
const ADMINISTRATION = '-administration';
/** Ends the names of the cookie of a sign-in that has begun. */
const SIGN_IN = '-sign-in';
/** Browsers drop a cookie whose name and value are longer. */
const MAX_COOKIE_BYTES = 4_096;

/** How cookies of an address look. */
export interface CookieOfSite {
  readonly name: string;
  readonly attributes: string;
}

const NO_TLS =
  'signing in needs HTTPS at this address: use TLS, name the proxy that ends it in TRUSTED_PROXIES, open the console at http://localhost, or allow plain HTTP by CONSOLE_ALLOW_HTTP=true';

/**
 * Returns the kind of cookie for an address. Over plain HTTP, browsers keep secure cookies on the loopback only.
 * @throws AppError `FORBIDDEN` with advice where the session would travel unencrypted and that is not allowed
 */
export function cookieOf(site: Site | undefined, allowsHttp: boolean): CookieOfSite {
  if (site === undefined) throw new AppError('VALIDATION_ERROR', 'Host must be the address of this server');
  const attributes = 'Path=/; HttpOnly; SameSite=Strict';
  if (site.isEncrypted || site.isLoopback) return { name: SECURE_NAME, attributes: `${attributes}; Secure` };
  if (allowsHttp) return { name: PLAIN_NAME, attributes };
  throw new AppError('FORBIDDEN', NO_TLS);
}

/** Returns the kind of cookie that unlocks administration at the address of a cookie of a session. */
export function administrationCookie({ name, attributes }: CookieOfSite): CookieOfSite {
  return { name: `${name}${ADMINISTRATION}`, attributes };
}

/**
 * Returns the kind of cookie of a sign-in that has begun, at the address of a cookie of a session. The provider sends the browser back, so
 * that it comes with navigation from elsewhere.
 */
export function signInCookie({ name, attributes }: CookieOfSite): CookieOfSite {
  return { name: `${name}${SIGN_IN}`, attributes: attributes.replace('SameSite=Strict', 'SameSite=Lax') };
}

/** Returns whether a request has a cookie of the console at all; most requests have none. */
export function mayHaveSession({ cookie }: IncomingHttpHeaders): boolean {
  return cookie !== undefined && (cookie.includes(SECURE_NAME) || cookie.includes(PLAIN_NAME));
}

export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const prefix = `${name}=`;
  const found = cookie.split(';').find((part) => part.trim().startsWith(prefix));
  return found?.trim().slice(prefix.length);
}

/** @throws AppError `VALIDATION_ERROR` when browsers would not keep it */
export function setCookie({ name, attributes }: CookieOfSite, value: string, seconds: number): string {
  if (name.length + value.length > MAX_COOKIE_BYTES)
    throw new AppError('VALIDATION_ERROR', 'the keys of this session are too long together, sign out first');
  return `${name}=${value}; Max-Age=${seconds}; ${attributes}`;
}

export function clearCookie(cookie: CookieOfSite): string {
  return setCookie(cookie, '', 0);
}
