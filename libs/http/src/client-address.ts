import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { DataPlane } from './auth/data-plane.js';
import { CLIENT_ADDRESS_HEADER } from './auth/internal-headers.js';

/** Where a request comes from. */
export interface Origin {
  /** IP address of the client, as far as it can be known; empty when the connection is gone. */
  readonly address: string;
  /** The data plane that has passed the request on, and its own address: what it says of the client is its word. */
  readonly dataPlane?: { readonly id: string; readonly address: string };
}

/** Tells whether an IP address belongs to a proxy whose `X-Forwarded-For` is believed. */
export type IsProxy = (address: string) => boolean;

/** @param networks addresses (`10.0.0.1`) and networks (`10.0.0.0/8`, `fd00::/8`); one that is neither is a mistake of the composition */
export function makeIsProxy(networks: readonly string[]): IsProxy {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** What of a request says where it comes from. */
interface ArrivedRequest extends Pick<IncomingMessage, 'headers'> {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The origin of a request whose data plane, if it comes through one, has shown its token. */
export function originOf(
  request: ArrivedRequest,
  dataPlane: Pick<DataPlane, 'id'> | undefined,
  isProxy: IsProxy,
): Origin {
  const peer = plain(request.socket.remoteAddress ?? '');
  const address = beforeProxies(peer, request.headers['x-forwarded-for'], isProxy);
  if (!dataPlane) return { address };
  const told = request.headers[CLIENT_ADDRESS_HEADER];
  const client = typeof told === 'string' && isIP(told) !== 0 ? told : '';
  return { address: client, dataPlane: { id: dataPlane.id, address } };
}

/** Each proxy appends whom it was called by, so the list is read from its end, as long as its entries are believed. */
function beforeProxies(peer: string, forwarded: string | string[] | undefined, isProxy: IsProxy): string {
  const hops = [forwarded ?? []].flat().join(',').split(',');
  let address = peer;
  while (isProxy(address)) {
    const before = plain(hops.pop()?.trim() ?? '');
    if (isIP(before) === 0) return address;
    address = before;
  }
  return address;
}

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
