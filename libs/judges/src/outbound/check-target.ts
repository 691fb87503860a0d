import { isIP } from 'node:net';
import { isBlockedAddress } from './blocked-address.js';
import { OutboundError } from './outbound-error.js';

/** A URL that may be called. */
export interface Target {
  readonly url: URL;
  /** Whether the operator listed the host, so that its addresses are not checked. */
  readonly isAllowed: boolean;
}

/**
 * Checks the URL of a provider before anything is resolved: https on port 443, no credentials and no private literal address, unless the host
 * is listed in `allowedHosts`. The URL parser turns spellings such as `0x7f.1` and `2130706433` into the address first.
 * @throws OutboundError `refused`
 */
export function checkTarget(text: string, allowedHosts: readonly string[]): Target {
  const url = parse(text);
  if (url.username !== '' || url.password !== '') throw refused('must not contain credentials');
  const isAllowed = isListed(url, allowedHosts);
  if (url.protocol !== 'https:' && !(isAllowed && url.protocol === 'http:'))
    throw refused('must use https, unless its host is allowed');
  if (isAllowed) return { url, isAllowed };
  if (url.port !== '') throw refused('must use port 443, unless its host is allowed');
  const host = hostOf(url);
  if (isIP(host) !== 0 && isBlockedAddress(host)) throw refused('names a private address');
  if (host === 'localhost' || host.endsWith('.localhost')) throw refused('names a private address');
  return { url, isAllowed };
}

/** Host without the brackets of an IPv6 address and the dot of a rooted name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw refused('is not valid');
  }
}

function isListed(url: URL, allowedHosts: readonly string[]): boolean {
  const name = url.hostname.toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowedHosts.some((host) => {
    const listed = host.trim().toLowerCase();
    return listed === name || listed === `${name}:${port}`;
  });
}

function refused(reason: string): OutboundError {
  return new OutboundError('refused', `the URL of the provider ${reason}`);
}
