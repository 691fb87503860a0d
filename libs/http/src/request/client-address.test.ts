import { trustedProxyCheck, originOf } from './client-address.js';

const requestFrom = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => ({
  socket: { remoteAddress },
  headers,
});
const forwarded = (value: string) => ({ 'x-forwarded-for': value });
const isTrustedProxy = trustedProxyCheck(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);

describe('originOf', () => {
  it.each([
    [
      'the address of the connection when the peer is not a trusted proxy',
      '198.51.100.7',
      forwarded('203.0.113.9'),
      '198.51.100.7',
    ],
    ['an IPv4-mapped address of the connection as IPv4', '::ffff:198.51.100.7', {}, '198.51.100.7'],
    ['the address that a trusted proxy reports', '10.1.2.3', forwarded('203.0.113.9'), '203.0.113.9'],
    ['the address that a trusted IPv6 proxy reports', 'fd00::1', forwarded('2001:db8::9'), '2001:db8::9'],
    [
      'the last address that is not a trusted proxy',
      '10.1.2.3',
      forwarded('1.1.1.1, 203.0.113.9, 10.9.9.9,192.0.2.1'),
      '203.0.113.9',
    ],
    ['the proxy itself without X-Forwarded-For', '10.1.2.3', {}, '10.1.2.3'],
    [
      'the proxy itself when it reports no IP address',
      '10.1.2.3',
      forwarded('203.0.113.9, <script>'),
      '10.1.2.3',
    ],
    [
      'the first address of a chain of trusted proxies',
      '10.1.2.3',
      forwarded('10.0.0.1, 10.0.0.2'),
      '10.0.0.1',
    ],
    ['an empty address when the connection is closed', undefined, forwarded('203.0.113.9'), ''],
  ])('returns %s', (_name, peer, headers, address) => {
    expect(originOf(requestFrom(peer, headers), undefined, isTrustedProxy)).toEqual({ address });
  });

  it.each([
    [['0.0.0.0/0'], '198.51.100.7', '203.0.113.9'],
    [['::/0'], '2001:db8::7', '203.0.113.9'],
    [['10.0.0.1/32'], '10.0.0.2', '10.0.0.2'],
    [[], '10.0.0.2', '10.0.0.2'],
  ])('trusts the networks %j only', (networks, peer, address) => {
    const request = requestFrom(peer, forwarded('203.0.113.9'));
    expect(originOf(request, undefined, trustedProxyCheck(networks))).toEqual({ address });
  });

  it('returns the client address that a data plane reports, with the data plane', () => {
    const named = requestFrom('198.51.100.7', { 'assay-client-address': '203.0.113.9' });
    expect(originOf(named, { id: 'dp1' }, isTrustedProxy)).toEqual({
      address: '203.0.113.9',
      dataPlane: { id: 'dp1', address: '198.51.100.7' },
    });
    expect(originOf(named, undefined, isTrustedProxy)).toEqual({ address: '198.51.100.7' });
    const garbled = requestFrom('198.51.100.7', { 'assay-client-address': 'x'.repeat(1_000) });
    expect(originOf(garbled, { id: 'dp1' }, isTrustedProxy).address).toBe('');
  });

  it('returns the name that a trusted proxy states, and that a data plane forwards, in one line', () => {
    const identity = (peer: string, headers: Record<string, string>, dataPlane?: { readonly id: string }) =>
      originOf(requestFrom(peer, headers), dataPlane, isTrustedProxy, 'x-user').identity;
    const stated = { 'x-user': ' Zoë\u0000\n <zoe@example.com> ' };
    expect(identity('10.1.2.3', stated)).toBe('Zoë <zoe@example.com>');
    expect(identity('198.51.100.7', stated)).toBeUndefined();
    expect(originOf(requestFrom('10.1.2.3', stated), undefined, isTrustedProxy).identity).toBeUndefined();
    expect(identity('10.1.2.3', { 'x-user': '  ' })).toBeUndefined();
    expect(identity('10.1.2.3', { 'x-user': 'x'.repeat(1_000) })).toHaveLength(200);

    const sent = { 'assay-client-identity': encodeURIComponent('Zoë') };
    expect(identity('198.51.100.7', sent, { id: 'dp1' })).toBe('Zoë');
    expect(identity('198.51.100.7', sent)).toBeUndefined();
    expect(identity('198.51.100.7', { 'assay-client-identity': '%' }, { id: 'dp1' })).toBeUndefined();
  });
});
