import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import request from 'supertest';
import { consoleApp, folderForConsole, PAGE, SCRIPT, SCRIPT_PATH } from '../../test/console-fixture.js';
import { sampleApp } from '../../test/sample-app.js';
import { readConsoleFiles } from './console-files.js';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
const { listener } = consoleApp();
const get = (path: string, headers: Record<string, string> = {}) =>
  request(listener)
    .get(path)
    .set({ 'Accept-Encoding': 'identity', ...headers });

describe('the files of the console', () => {
  test('are kept permanently where the name has the hash of the content, and checked each time elsewhere', async () => {
    const script = await get(SCRIPT_PATH);
    expect(script.text).toBe(SCRIPT);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const page = await get('/console/');
    expect(page.text).toBe(PAGE);
    expect(page.headers['cache-control']).toBe('no-cache');
    const again = await get('/console/', { 'If-None-Match': page.headers.etag ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get('/console/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ])('for a browser that accepts "%s" have the coding %s', async (accepted, coding) => {
    const script = await get(SCRIPT_PATH, { 'Accept-Encoding': accepted }).buffer();
    expect(script.headers['content-encoding']).toBe(coding);
    expect(script.headers.vary).toBe('Accept-Encoding');
    if (coding === undefined) expect(Number(script.headers['content-length'])).toBe(SCRIPT.length);
    else expect(Number(script.headers['content-length'])).toBeLessThan(200);
  });

  test('let no other page frame them, and load nothing from elsewhere', async () => {
    for (const path of ['/console/', SCRIPT_PATH, '/console/nothing', '/console/session', '/console']) {
      const { headers } = await get(path);
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("media-src 'self' data: blob:");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types assay");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      });
    }
  });

  test('are read only', async () => {
    const head = await request(listener).head('/console/');
    expect([head.status, head.headers['content-length']]).toEqual([200, String(PAGE.length)]);
    const sent = await request(listener).post('/console/').send({});
    expect([sent.status, sent.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('an unknown path below /console/', () => {
  test('is a page of the application for a browser, and 404 for everything else', async () => {
    const page = await get('/console/p/1/sessions?f=a:is:b', { Accept: HTML });
    expect([page.status, page.text]).toEqual([200, PAGE]);
    expect(page.headers.vary).toBe('Accept, Accept-Encoding');
    for (const accept of ['*/*', 'application/json', 'text/html;q=0'])
      expect((await get('/console/assets/old-12345678.js', { Accept: accept })).status).toBe(404);
  });

  test.each([
    '/console/..%2F..%2Fetc%2Fpasswd',
    '/console/../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/assets/..%5C..%5C',
    '/console//etc/passwd',
    '/console/%00index.html',
    '/console/assets/../../secret.txt',
    '/console/%',
  ])('never leaves the folder: %s', async (path) => {
    const raw = await rawGet(path);
    expect(raw).not.toContain('not served');
    expect(raw).toMatch(/^HTTP\/1\.1 404 /);
    expect(await rawGet(path, HTML)).not.toContain('not served');
  });

  test('redirects nowhere else, whatever the query says', async () => {
    const login = await get('/console/login?next=//evil.example/', { Accept: HTML });
    expect([login.status, login.headers.location]).toEqual([200, undefined]);
    const start = await get('/?next=//evil.example/', { Accept: HTML });
    expect([start.status, start.headers.location]).toEqual([302, '/console/']);
    const docs = await get('/docs?next=//evil.example/', { Accept: HTML });
    expect([docs.status, docs.headers.location]).toEqual([302, '/console/api']);
    expect((await get('/docs', { Accept: '*/*' })).status).toBe(404);
    expect((await rawGet('//evil.example/', HTML)).toLowerCase()).not.toContain('location');
  });
});

test('without a console everything is as before', async () => {
  const app = sampleApp({ openApi: { version: '1' } }).listener;
  const page = await request(app).get('/').set('Accept', HTML);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const path of ['/console', '/console/', '/console/session', '/console/code'])
    expect((await request(app).get(path).set('Accept', HTML)).body).toMatchObject({ errorCode: 'NOT_FOUND' });
  expect((await request(listener).get('/')).status).toBe(404);
});

test('a folder without a console prevents the start', () => {
  const empty = folderForConsole();
  writeFileSync(join(empty, 'readme.txt'), '');
  expect(() => readConsoleFiles(empty)).toThrow('CONSOLE_DIR has no index.html');
  expect(() => readConsoleFiles(join(empty, 'missing'))).toThrow('CONSOLE_DIR cannot be read');
});

/** Sends a path as it is: clients resolve dots in it. */
async function rawGet(path: string, accept = '*/*'): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  server.close();
  return Buffer.concat(chunks).toString('utf8');
}
