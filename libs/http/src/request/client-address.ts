import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { DataPlane } from '../auth/data-plane.js';
import { CLIENT_ADDRESS_HEADER, CLIENT_IDENTITY_HEADER } from '../auth/internal-headers.js';

/** Where a request comes from. */
export interface Origin {
  /** IP address of the client, as far as it is known; empty when the connection is closed. */
  readonly address: string;
  /** The data plane that forwarded the request, and its own address. It vouches for the client's address. */
  readonly dataPlane?: { readonly id: string; readonly address: string };
  /** Name of the person that an authenticating proxy states: a claim of that proxy, at most 200 characters. */
  readonly identity?: string;
}

/** Whether an IP address belongs to a proxy whose `X-Forwarded-For` is trusted. */
export type IsTrustedProxy = (address: string) => boolean;

/** @param networks addresses (`10.0.0.1`) and networks (`10.0.0.0/8`, `fd00::/8`). @throws TypeError for anything else */
export function trustedProxyCheck(networks: readonly string[]): IsTrustedProxy {
  const isTrusted = proxyAddr.compile(networks.flatMap(splitEmptyPrefix));
  return (address) => isIP(address) !== 0 && isTrusted(address, 0);
}

/** The parts of a request that its origin is read from. */
interface AddressedRequest extends Pick<IncomingMessage, 'headers'> {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Returns the origin of a request. `dataPlane` is the authenticated data plane that forwarded it, if any.
 * @param identityHeader header, in lower case, in which a trusted proxy states who the person is
 */
export function originOf(
  request: AddressedRequest,
  dataPlane: Pick<DataPlane, 'id'> | undefined,
  isTrustedProxy: IsTrustedProxy,
  identityHeader?: string,
): Origin {
  const address = clientAddress(request, isTrustedProxy);
  if (!dataPlane) return { address, ...statedIdentity(request, isTrustedProxy, identityHeader) };
  const claimed = request.headers[CLIENT_ADDRESS_HEADER];
  const client = typeof claimed === 'string' && isIP(claimed) !== 0 ? claimed : '';
  return { address: client, dataPlane: { id: dataPlane.id, address }, ...forwardedIdentity(request) };
}

/** Who the person is by the proxy: nothing from other addresses, which could send the header too. */
function statedIdentity(
  { headers, socket }: AddressedRequest,
  isTrustedProxy: IsTrustedProxy,
  header: string | undefined,
): Pick<Origin, 'identity'> {
  if (header === undefined || headers[header] === undefined) return {};
  return isTrustedProxy(toPlainAddress(socket.remoteAddress)) ? asIdentity(headers[header]) : {};
}

function forwardedIdentity({ headers }: AddressedRequest): Pick<Origin, 'identity'> {
  const text = headers[CLIENT_IDENTITY_HEADER];
  if (typeof text !== 'string') return {};
  try {
    return asIdentity(decodeURIComponent(text));
  } catch {
    return {};
  }
}

const MAX_IDENTITY = 200;

/** Leaves out control characters, so that a line of the audit trail stays one line. */
function asIdentity(stated: string | string[] | undefined): Pick<Origin, 'identity'> {
  if (typeof stated !== 'string') return {};
  const identity = stated.replace(/\p{C}/gu, '').trim().slice(0, MAX_IDENTITY);
  return identity === '' ? {} : { identity };
}

/** Returns the last address of the chain that the trusted proxies report; an entry that is no IP address ends the chain. */
function clientAddress(request: AddressedRequest, isTrustedProxy: IsTrustedProxy): string {
  const nearest = toPlainAddress(request.socket.remoteAddress);
  if (!isTrustedProxy(nearest)) return isIP(nearest) === 0 ? '' : nearest;
  // proxy-addr reads only the headers and the remote address.
  const chain = proxyAddr
    .all(request as IncomingMessage, (address) => isTrustedProxy(toPlainAddress(address)))
    .map(toPlainAddress);
  return chain.findLast((address) => isIP(address) !== 0) ?? '';
}

/** Returns an IPv4-mapped IPv6 address as IPv4. */
export function toPlainAddress(address: string | undefined): string {
  return (address ?? '').trim().replace(/^::ffff:(?=\d+\.)/i, '');
}

/** proxy-addr does not accept the prefix length 0: two halves stand for all addresses of the family. */
function splitEmptyPrefix(network: string): string[] {
  const [address = '', bits] = network.split('/');
  if (bits === undefined || Number(bits) !== 0) return [network];
  return isIP(address) === 4 ? ['0.0.0.0/1', '128.0.0.0/1'] : ['::/1', '8000::/1'];
}
