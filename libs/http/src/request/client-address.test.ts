import { makeIsProxy, originOf } from './client-address.js';

const requestFrom = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => ({
  socket: { remoteAddress },
  headers,
});
const forwarded = (value: string) => ({ 'x-forwarded-for': value });
const isProxy = makeIsProxy(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);

describe('where a request comes from', () => {
  it.each([
    ['the connection, whatever the client claims', '198.51.100.7', forwarded('203.0.113.9'), '198.51.100.7'],
    ['the connection in its plain form', '::ffff:198.51.100.7', {}, '198.51.100.7'],
    ['what a trusted proxy says', '10.1.2.3', forwarded('203.0.113.9'), '203.0.113.9'],
    ['what a proxy over IPv6 says', 'fd00::1', forwarded('2001:db8::9'), '2001:db8::9'],
    [
      'the last address that no trusted proxy has',
      '10.1.2.3',
      forwarded('1.1.1.1, 203.0.113.9, 10.9.9.9,192.0.2.1'),
      '203.0.113.9',
    ],
    ['the proxy itself when it says nothing', '10.1.2.3', {}, '10.1.2.3'],
    ['the proxy itself when it says no address', '10.1.2.3', forwarded('203.0.113.9, <script>'), '10.1.2.3'],
    [
      'the first of a chain of trusted proxies alone',
      '10.1.2.3',
      forwarded('10.0.0.1, 10.0.0.2'),
      '10.0.0.1',
    ],
    ['nothing once the connection is gone', undefined, forwarded('203.0.113.9'), ''],
  ])('is %s', (_name, peer, headers, address) => {
    expect(originOf(requestFrom(peer, headers), undefined, isProxy)).toEqual({ address });
  });

  it('is the client that a data plane names, beside the data plane', () => {
    const named = requestFrom('198.51.100.7', { 'assay-client-address': '203.0.113.9' });
    expect(originOf(named, { id: 'dp1' }, isProxy)).toEqual({
      address: '203.0.113.9',
      dataPlane: { id: 'dp1', address: '198.51.100.7' },
    });
    expect(originOf(named, undefined, isProxy)).toEqual({ address: '198.51.100.7' });
    const garbled = requestFrom('198.51.100.7', { 'assay-client-address': 'x'.repeat(1_000) });
    expect(originOf(garbled, { id: 'dp1' }, isProxy).address).toBe('');
  });
});
