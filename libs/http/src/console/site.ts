import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { toPlainAddress, type IsTrustedProxy } from '../request/client-address.js';

/** The address of the console as the browser knows it. */
export interface Site {
  /** Scheme, host and port, as in the header `Origin`. */
  readonly origin: string;
  readonly isEncrypted: boolean;
  /** Whether browsers treat the address as secure without encryption. */
  readonly isLoopback: boolean;
}

const HOST = /^(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Returns the address that a request was sent to; undefined when its `Host` is not one. What a proxy says of it counts
 * only where the proxy is trusted.
 */
export function siteOf(request: IncomingMessage, isTrustedProxy: IsTrustedProxy): Site | undefined {
  const { headers, socket } = request;
  const isProxied = isTrustedProxy(toPlainAddress(socket.remoteAddress));
  const forwarded = (name: string) => (isProxied ? firstOf(headers[name]) : undefined);
  const isEncrypted =
    (forwarded('x-forwarded-proto') ?? ('encrypted' in socket ? 'https' : 'http')) === 'https';
  const host = forwarded('x-forwarded-host') ?? headers.host ?? '';
  const text = `${isEncrypted ? 'https' : 'http'}://${host}`;
  if (!HOST.test(host) || !URL.canParse(text)) return undefined;
  const { origin, hostname } = new URL(text);
  return { origin, isEncrypted, isLoopback: isLoopback(hostname) };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  const first = [header ?? []].flat()[0]?.split(',')[0]?.trim().toLowerCase();
  return first === '' ? undefined : first;
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true;
  return isIPv4(hostname) && hostname.startsWith('127.');
}
