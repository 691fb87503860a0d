import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startRecordingProxy, type RecordingProxy } from './recording-proxy.js';

const WORD = 'a-word-of-the-server';

describe('the recording proxy', () => {
  let server: Server;
  let proxy: RecordingProxy;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const body = gzipSync(`${request.url} ${WORD}`.repeat(50));
      response.setHeader('content-encoding', 'gzip');
      if (request.url === '/whole') return void response.end(body);
      for (let at = 0; at < body.length; at += 10) response.write(body.subarray(at, at + 10));
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await startRecordingProxy(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await proxy.close();
    server.close();
  });

  it('returns compressed and chunked messages in a form that can be searched', async () => {
    const paths = ['/whole', '/chunked', '/whole'];
    const sent = 'a-word-of-the-client'.repeat(1_000);
    for (const path of paths) {
      const response = await fetch(`http://${proxy.address}${path}`, { method: 'POST', body: sent });
      expect(await response.text()).toContain(WORD);
    }
    expect(proxy.bytes().includes(WORD)).toBe(false);
    const readable = proxy.readable().toString();
    expect(readable.split(sent)).toHaveLength(paths.length + 1);
    for (const path of paths) expect(readable).toContain(`${path} ${WORD}${path} ${WORD}`);
    expect(readable.split(WORD)).toHaveLength(paths.length * 50 + 1);
  });
});
