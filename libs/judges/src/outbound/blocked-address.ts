import { BlockList, isIP } from 'node:net';

const V4_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const V6_NETWORKS = [
  '::/128',
  '::1/128',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const blocked = new BlockList();
for (const [networks, family] of [
  [V4_NETWORKS, 'ipv4'],
  [V6_NETWORKS, 'ipv6'],
] as const)
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string];
    blocked.addSubnet(address, Number(bits), family);
  }

/**
 * Whether an address is private, local, reserved or a translation of an IPv4 address. Text that is no address is blocked.
 * Source: the special-purpose registries of IANA (RFC 6890). IPv4-mapped IPv6 addresses are checked as IPv4.
 */
export function isBlockedAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').split('%')[0] as string;
  const family = isIP(plain);
  if (family === 0) return true;
  return blocked.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
