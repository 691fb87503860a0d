import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspectControlPlane } from './inspect-control-plane.js';

describe('inspectControlPlane', () => {
  let server: Server;
  let aheadMs: number;

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString()).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  it.each([
    ['agrees', 0, { ok: true, detail: 'agrees with this process' }],
    ['differs by minutes, with which a process may start', 600_000, { ok: false, mayStart: true }],
    [
      'differs by years',
      10 * 365 * 86_400_000,
      { ok: false, advice: expect.stringContaining('NTP') as string },
    ],
  ])('finds a clock that %s', async (_, difference, finding) => {
    aheadMs = difference;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const findings = await inspectControlPlane({ url, timeoutMs: 30_000 });
    expect(findings).toEqual([expect.objectContaining({ name: 'control plane clock', ...finding })]);
  });
});
