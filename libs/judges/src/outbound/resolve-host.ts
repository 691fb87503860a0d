import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isBlockedAddress } from './blocked-address.js';
import { OutboundError } from './outbound-error.js';

/** Returns all addresses of a host. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

export const resolveWithSystem: ResolveHost = (hostname) =>
  new Promise((resolve, reject) =>
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  );

/**
 * Returns the lookup of a connection: it resolves once, refuses a host with any private address, and gives the connection the addresses that
 * were checked. A name that resolves differently the next time is therefore checked again for its next connection.
 */
export function guardedLookup(resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || addresses.some(({ address }) => isBlockedAddress(address)))
          return callback(
            new OutboundError('refused', 'the host of the provider has a private address'),
            '',
            0,
          );
        if (options.all) return callback(null, [...addresses]);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
