import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { searchEvents } from '@assay/contracts';
import { bind } from '../../routing/bind.js';
import { sampleApp } from '../../../test/sample-app.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const bindings = [bind(searchEvents, () => Promise.reject(new Error('not called')))];
const listener = sampleApp({ openApi: { version: '0.1.0' }, bindings }).listener;
const open = (app: RequestListener, host = 'assay.example:8090') =>
  request(app).get('/').set('Accept', BROWSER).set('Host', host);

describe('the page at the address of the API', () => {
  it('says to a browser what this is, where the OpenAPI document is, and how to send to the address that it uses', async () => {
    const { status, headers, text } = await open(listener);
    expect([status, headers['content-type'], headers.vary]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('<h1>Assay 0.1.0</h1>');
    expect(text).toContain('<a href="/openapi.json">');
    expect(text).toContain('curl http://assay.example:8090/v1/events \\\n');
    expect(text).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://assay.example:8090/opentelemetry\n');
    expect(text).not.toContain('{{');
  });

  it('names the address of the connection when the client names none that could be copied', async () => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const host of [
      'a"b',
      '<script>',
      '$(reboot)',
      'a b',
      'a;b',
      '`x`',
      "'",
      'a/b',
      '[::1',
      'x'.repeat(254),
    ]) {
      const { status, text } = await request(server).get('/').set('Accept', BROWSER).set('Host', host);
      expect([host, status, text.includes(`curl http://127.0.0.1:${port}/v1/events `)]).toEqual([
        host,
        200,
        true,
      ]);
      expect(text).not.toContain(host === "'" ? "http://'" : host);
    }
    server.close();
  });

  it('names https where a trusted proxy says so, and only there', async () => {
    const proxied = sampleApp({
      openApi: { version: '1' },
      bindings,
      trustedProxies: ['127.0.0.1', '::1'],
    }).listener;
    for (const [app, expected] of [
      [proxied, 'https://assay.example/v1/events '],
      [listener, 'http://assay.example/v1/events '],
    ] as const)
      expect((await open(app, 'assay.example').set('X-Forwarded-Proto', 'https')).text).toContain(expected);
  });

  it('has no commands where the process takes no events', async () => {
    const { text } = await open(sampleApp({ openApi: { version: '1' } }).listener);
    expect(text).toContain('/openapi.json');
    expect(text).not.toContain('curl');
  });

  it.each([
    '*/*',
    'application/json',
    '',
    'text/html;q=0, application/json',
    'text/html5',
    'application/xhtml+xml',
  ])('is not for a client that accepts %j, whose response is still the 404 in JSON', async (accept) => {
    const response = await request(listener).get('/').set('Accept', accept);
    expect([response.status, response.headers['content-type'], response.body]).toMatchObject([
      404,
      'application/json',
      { errorCode: 'NOT_FOUND', message: 'there is no such route' },
    ]);
  });

  it('is at no other path, and does not exist where no OpenAPI document is served', async () => {
    for (const path of ['/v1', '/index.html', '/v1/nothing'])
      expect((await request(listener).get(path).set('Accept', BROWSER)).status).toBe(404);
    expect((await request(listener).post('/').set('Accept', BROWSER)).status).toBe(404);
    expect((await open(sampleApp().listener)).status).toBe(404);
  });
});
