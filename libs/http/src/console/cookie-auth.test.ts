import request from 'supertest';
import { consoleApp } from '../../test/console-fixture.js';
import { cookieFrom, cookieOf, FROM_PAGE, ORIGIN, signIn, type Headers } from '../../test/console-client.js';
import { EVENT_ID, KEY } from '../../test/sample-app.js';

const { listener, seen } = consoleApp();
const SEARCH = { filters: [] };
let cookie: string;
beforeAll(async () => {
  const first = await cookieOf(listener, { api_key: 'project-key' });
  cookie = cookieFrom(await signIn(listener, { api_key: 'other-key' }, { Cookie: first }));
});

/** Sends a search as a browser that has the cookie. */
function search(headers: Headers) {
  return request(listener)
    .post('/v1/events/search')
    .set({ Host: 'localhost:8090', Cookie: cookie, 'Content-Type': 'application/json', ...headers })
    .send(JSON.stringify(SEARCH));
}

describe('a request with the cookie of the session', () => {
  test('is one of the project that it names', async () => {
    for (const project of ['p1', 'p2'])
      await search({ 'Sec-Fetch-Site': 'same-origin', 'Assay-Project': project }).expect(200);
    const projects = await request(listener)
      .get('/v1/projects')
      .set({ ...FROM_PAGE, Cookie: cookie, 'Assay-Project': 'p1' });
    expect(projects.body).toMatchObject([{ id: 'p1' }]);
    const latest = await request(listener)
      .get('/v1/projects')
      .set({ ...FROM_PAGE, Cookie: cookie });
    expect(latest.body).toMatchObject([{ id: 'p2' }]);
    const foreign = await search({ 'Sec-Fetch-Site': 'same-origin', 'Assay-Project': 'p3' }).expect(401);
    expect(foreign.body).toMatchObject({ message: 'sign in to this project first' });
  });

  test.each<[string, Headers]>([
    ['of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['of another port or subdomain', { 'Sec-Fetch-Site': 'same-site' }],
    ['that the person typed', { 'Sec-Fetch-Site': 'none' }],
    ['of a foreign origin, from an old browser', { Origin: 'https://evil.example' }],
    ['of another port, from an old browser', { Origin: 'http://localhost:3000' }],
    ['of a sandboxed frame', { Origin: 'null' }],
    ['without any origin', {}],
  ])('is refused when it changes something and comes from a page %s', async (_name, headers) => {
    const before = seen.contexts.length;
    const refused = await search({ 'Assay-Project': 'p1', ...headers });
    expect([refused.status, refused.headers['cache-control']]).toEqual([403, 'no-store']);
    expect(seen.contexts).toHaveLength(before);
  });

  test('is refused when it comes from a form, which cannot send JSON or name a project', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])
      await search({ 'Sec-Fetch-Site': 'same-origin', 'Assay-Project': 'p1', 'Content-Type': type }).expect(
        415,
      );
    const unnamed = await search({ 'Sec-Fetch-Site': 'same-origin' }).expect(400);
    expect((unnamed.body as { message: string }).message).toContain('Assay-Project');
  });

  test('is accepted from an old browser by its origin', async () => {
    await search({ 'Assay-Project': 'p1', Origin: ORIGIN }).expect(200);
  });

  test('is not read for another site either', async () => {
    for (const site of ['cross-site', 'same-site'])
      await request(listener)
        .get('/v1/projects')
        .set({ Cookie: cookie, Host: 'localhost:8090', 'Sec-Fetch-Site': site })
        .expect(403);
    await request(listener).get('/v1/projects').set({ Cookie: cookie, Host: 'localhost:8090' }).expect(200);
  });

  test('has responses that no cache keeps, also failures', async () => {
    for (const path of ['/v1/projects', `/v1/events/${EVENT_ID}`]) {
      const response = await request(listener)
        .get(path)
        .set({ ...FROM_PAGE, Cookie: cookie });
      expect([response.status, response.headers['cache-control']]).toEqual([
        path === '/v1/projects' ? 200 : 404,
        'no-store',
      ]);
    }
    const byKey = await request(listener).get('/v1/projects').set(KEY);
    expect(byKey.headers['cache-control']).toBeUndefined();
  });

  test('is not used beside a key that the client sends itself', async () => {
    const response = await request(listener)
      .post('/v1/events/search')
      .set({ Cookie: cookie, Authorization: 'Bearer project-key', 'Sec-Fetch-Site': 'cross-site' })
      .send(SEARCH);
    expect([response.status, response.headers['cache-control']]).toEqual([200, undefined]);
    await request(listener)
      .get('/v1/projects')
      .set({ ...FROM_PAGE, Cookie: cookie, Authorization: 'Bearer wrong' })
      .expect(401);
  });
});

describe('an update of an event', () => {
  test('takes the cookie of a page of this address, for its project', async () => {
    const update = (headers: Record<string, string>) =>
      request(listener)
        .put(`/v1/events/${EVENT_ID}`)
        .set({ ...FROM_PAGE, Cookie: cookie, ...headers })
        .send({ feedback: { 'note@ada': 'n' } });
    await update({ 'Assay-Project': 'p1' }).expect(200);
    await update({}).expect(400);
    await update({ 'Assay-Project': 'p1', 'Sec-Fetch-Site': 'cross-site' }).expect(403);
    await update({ 'Assay-Project': 'p1', Cookie: '' }).expect(401);
  });
});

describe('routes that are not for the console', () => {
  test('never read the cookie', async () => {
    const post = (path: string) =>
      request(listener)
        .post(path)
        .set({ ...FROM_PAGE, Cookie: cookie, 'Assay-Project': 'p1' })
        .send({ event_type: 'model', inputs: {} });
    for (const path of ['/v1/events', '/v1/events/batch', '/opentelemetry/v1/traces', '/v1/projects'])
      expect((await post(path)).status).toBe(401);
  });
});

test('an operation sees the key of the session as a header, and no cookie', async () => {
  const { bindings, headers } = await recordedHeaders();
  const { listener: own } = consoleApp({ bindings });
  const session = await cookieOf(own, { api_key: 'project-key' });
  await request(own)
    .get('/v1/projects')
    .set({ ...FROM_PAGE, Cookie: `${session}; theme=dark` })
    .expect(200);
  await request(own)
    .get('/v1/projects')
    .set({ ...KEY, Cookie: 'theme=dark' })
    .expect(200);
  expect(headers.map(({ authorization, cookie: left }) => [authorization, left])).toEqual([
    ['Bearer project-key', undefined],
    ['Bearer project-key', undefined],
  ]);
});

async function recordedHeaders() {
  const { listProjects } = await import('@assay/contracts');
  const { bind } = await import('../routing/bind.js');
  const headers: { authorization?: string; cookie?: string }[] = [];
  const binding = bind(listProjects, (_request, context) => {
    headers.push({ ...context.headers });
    return Promise.resolve([]);
  });
  return { bindings: [binding], headers };
}
