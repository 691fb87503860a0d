import { spawnSync } from 'node:child_process';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { describeWhere } from '@assay/testing';
import { isBlockedAddress } from './blocked-address.js';
import { checkTarget } from './check-target.js';
import { OutboundError } from './outbound-error.js';
import { createOutboundHttp } from './outbound-http.js';
import type { ResolveHost } from './resolve-host.js';

const hasNamespaces = spawnSync('unshare', ['--net', '--map-root-user', 'true']).status === 0;
const NAMESPACES = { ...(!hasNamespaces && { missing: 'this machine refuses network namespaces' }) };

const post = (url: string, resolve?: ResolveHost) =>
  createOutboundHttp({ resolve }).post(
    { url, headers: {}, body: '{}', allowedHosts: [] },
    AbortSignal.timeout(5_000),
  );

describe('addresses', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '[::1]',
    'localhost',
    '',
  ])('blocks %s', (address) => expect(isBlockedAddress(address)).toBe(true));

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '192.169.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
  ])('does not block %s', (address) => expect(isBlockedAddress(address)).toBe(false));
});

describe('URLs of providers', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://①②⑦.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'https://example.com:8443/',
    'https://example.com:22/',
    'http://example.com/',
    'http://127.0.0.1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'example.com',
    '',
    'https://',
  ])('refuses %s', (url) => expect(() => checkTarget(url, [])).toThrow(OutboundError));

  it('accepts private addresses, plain HTTP and ports of listed hosts only', () => {
    const listed = ['127.0.0.1:9025', 'Proxy.internal', '[::1]:80'];
    for (const url of [
      'http://127.0.0.1:9025/v1',
      'http://proxy.internal:4000',
      'https://proxy.internal',
      'http://[::1]/',
    ])
      expect(checkTarget(url, listed).isAllowed).toBe(true);
    for (const url of [
      'http://127.0.0.1:9026/v1',
      'http://127.0.0.1/',
      'http://proxy.internal.evil.com',
      'http://xproxy.internal',
    ])
      expect(() => checkTarget(url, listed)).toThrow(OutboundError);
    expect(() => checkTarget('http://user@proxy.internal', listed)).toThrow('credentials');
  });
});

describe('names that resolve to private addresses', () => {
  let server: Server;
  let touched = 0;
  beforeAll(async () => {
    server = createServer(() => touched++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect((server.address() as AddressInfo).port).toBeGreaterThan(0);
  });
  afterAll(() => void server.close());

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['8.8.8.8', '10.0.0.1']],
    [['169.254.169.254']],
    [[]],
  ])('are refused for %j, without a connection', async (addresses) => {
    const resolve: ResolveHost = () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    await expect(post('https://rebind.example/', resolve)).rejects.toMatchObject({ reason: 'refused' });
    expect(touched).toBe(0);
  });

  it('are resolved once for each connection', async () => {
    let calls = 0;
    const resolve: ResolveHost = () => {
      calls++;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    await expect(post('https://rebind.example/', resolve)).rejects.toThrow(OutboundError);
    expect(calls).toBe(1);
  });

  it('fail when they do not resolve', async () => {
    const resolve: ResolveHost = () =>
      Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    await expect(post('https://nowhere.example/', resolve)).rejects.toThrow(
      'the provider is unreachable (ENOTFOUND)',
    );
  });
});

describeWhere({ describe, it }, 'private addresses where servers listen', NAMESPACES, () => {
  it('are reached by no URL and no name, in a network namespace without routes', () => {
    const child = join(__dirname, '../../test/private-targets.cjs');
    const addresses = [
      ...['10.0.0.1/32', '172.16.0.1/32', '192.168.1.1/32', '169.254.169.254/32', '100.64.0.1/32'],
      'fd00::1/128',
    ];
    const commands = [
      'ip link set lo up',
      ...addresses.map((address) => `ip addr add ${address} dev lo`),
      `exec "${process.execPath}" "${child}"`,
    ];
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['--net', '--map-root-user', 'sh', '-c', commands.join('; ')],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ reachable: 1, touched: 0, reasons: ['refused'] });
  });
});

describeWhere({ describe, it }, 'responses of DNS that change', NAMESPACES, () => {
  it('reach no private address, in a network namespace without routes', () => {
    const child = join(__dirname, '../../test/changing-dns.cjs');
    const script = `ip link set lo up 2>/dev/null; exec "${process.execPath}" "${child}"`;
    const { stdout, stderr } = spawnSync('unshare', ['--net', '--map-root-user', 'sh', '-c', script], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      touched: 0,
      reasons: ['unconnected', 'refused', 'unconnected', 'refused'],
    });
  });
});
