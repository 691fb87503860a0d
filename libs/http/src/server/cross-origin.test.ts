import request from 'supertest';
import { KEY, sampleApp } from '../../test/sample-app.js';

const PAGE = 'https://app.example.com';
const EVENT = { event_type: 'model', inputs: {} };
const TRACES = '/opentelemetry/v1/traces';

function preflight(allowedOrigins: string[], origin: string, path = TRACES) {
  return request(sampleApp({ allowedOrigins }).listener).options(path).set({
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,x-source',
  });
}

describe('a page of an allowed origin', () => {
  test('may send a preflight without a key', async () => {
    const response = await preflight([PAGE], PAGE);
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-headers': 'authorization,x-source',
      'access-control-allow-methods': expect.stringContaining('POST') as string,
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('can read successful and error responses and Retry-After', async () => {
    const { listener } = sampleApp({ allowedOrigins: [PAGE] });
    const from = { Origin: PAGE };
    const good = await request(listener)
      .post('/v1/events')
      .set({ ...KEY, ...from })
      .send(EVENT);
    const rejected = [
      await request(listener).post('/v1/events').set(from).send(EVENT),
      await request(listener)
        .post('/v1/events')
        .set({ ...KEY, ...from, 'Content-Type': 'text/plain' })
        .send('x'),
      await request(listener)
        .post(TRACES)
        .set({ ...from, authorization: 'Bearer key-of-the-outage' })
        .send({}),
      await request(listener).get('/v1/nothing').set(from),
    ];
    expect([good, ...rejected].map(({ status }) => status)).toEqual([200, 401, 415, 503, 404]);
    for (const { headers } of [good, ...rejected]) {
      expect(headers['access-control-allow-origin']).toBe(PAGE);
      expect(headers['access-control-expose-headers']).toContain('Retry-After');
    }
  });
});

describe('allowed origins', () => {
  test.each([
    [['*'], 'http://localhost:5173'],
    [['https://*.example.com'], 'https://a.b.example.com'],
    [['http://localhost:*'], 'http://localhost:5173'],
    [['https://other.example', 'HTTPS://APP.example.com'], PAGE],
  ])('%j allow %s', async (allowed, origin) => {
    expect((await preflight(allowed, origin)).headers['access-control-allow-origin']).toBe(origin);
  });

  test.each([
    [[], PAGE],
    [[PAGE], 'https://evil.example'],
    [[PAGE], 'https://app.example.com.evil.example'],
    [[PAGE], 'https://appxexample.com'],
    [[PAGE], 'http://app.example.com'],
    [['https://*.example.com'], 'https://example.com'],
    [['https://*.example.com'], 'https://evil.example/.example.com'],
    [['https://*.example.com'], 'https://user@evil.example.com'],
    [[PAGE], 'null'],
  ])('%j reject %s', async (allowed, origin) => {
    const response = await preflight(allowed, origin);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('apply to unknown routes', async () => {
    expect((await preflight([PAGE], PAGE, '/v1/nothing')).status).toBe(404);
  });
});
