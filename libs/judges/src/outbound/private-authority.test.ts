import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PemFile, TlsFiles } from '@assay/runtime';
import { createTestAuthority } from '@assay/runtime/test/test-certificates';
import { createOutboundHttp } from './outbound-http.js';

describe('a server whose certificate a private authority has signed', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-private-authority-'));
  const [authority, other] = [createTestAuthority(dir, 'authority'), createTestAuthority(dir, 'other')];
  const caFile = join(dir, 'used.pem');
  let server: Server;
  let host: string;

  beforeAll(async () => {
    const { certFile, keyFile } = authority.issue('server');
    server = createServer(
      { cert: readFileSync(certFile), key: readFileSync(keyFile) },
      (request, response) => {
        request.resume().on('end', () => response.end('{}'));
      },
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  async function post(tls: TlsFiles | undefined, allowedHosts = [host]): Promise<number> {
    const http = createOutboundHttp({ tls });
    try {
      const request = { url: `https://${host}/`, headers: {}, body: '{}', allowedHosts };
      return (await http.post(request, AbortSignal.timeout(30_000))).status;
    } finally {
      http.close();
    }
  }
  const filesOf = (path: string) => {
    copyFileSync(path, caFile);
    return new TlsFiles({ ca: new PemFile('LLM_PROXY_CA_FILE', caFile) }, () => undefined);
  };

  it('is called with the authority, and only if it is an allowed host', async () => {
    const tls = filesOf(authority.caFile);
    expect(await post(tls)).toBe(200);
    await expect(post(tls, [])).rejects.toMatchObject({ reason: 'refused' });
  });

  it('is not called without the authority or with another one', async () => {
    for (const tls of [undefined, filesOf(other.caFile)])
      await expect(post(tls)).rejects.toMatchObject({
        reason: 'unreachable',
        message: expect.stringMatching(/CERT|SIGNATURE|ISSUER/) as string,
      });
  });

  it('is called with an authority that replaces another one in the file', async () => {
    const tls = filesOf(other.caFile);
    await expect(post(tls)).rejects.toMatchObject({ reason: 'unreachable' });
    copyFileSync(authority.caFile, caFile);
    expect(await post(tls)).toBe(200);
  });
});
