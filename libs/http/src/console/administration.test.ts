import request from 'supertest';
import { administratorToken } from '@assay/domain';
import { consoleApp, SECRET } from '../../test/console-fixture.js';
import { cookieFrom, cookieOf, FROM_PAGE, type Headers } from '../../test/console-client.js';
import { makeAdministrationSeal, makeSessionSeal } from './sealed-session.js';

// Each test has attempts of its own.
let { listener, seen } = consoleApp();
let session: string;
beforeEach(async () => {
  ({ listener, seen } = consoleApp());
  session = await cookieOf(listener, { api_key: 'project-key' });
});
const CALLER = { projectId: 'p1', projectName: 'bot', keyId: 'k1', scope: 'project' } as const;
const ADMINISTRATION = { 'Assay-Administration': 'true' };

const unlock = (body: object, headers: Headers = {}) =>
  request(listener)
    .post('/console/session/administration')
    .set({ ...FROM_PAGE, Cookie: session, ...headers })
    .send(body);

/** The cookies of a browser in which administration is unlocked. */
async function unlocked(): Promise<string> {
  return `${session}; ${cookieFrom(await unlock({ admin_token: 'admin-token' }).expect(200))}`;
}

const createProject = (headers: Headers) =>
  request(listener)
    .post('/v1/projects')
    .set({ ...FROM_PAGE, 'Content-Type': 'application/json', ...headers })
    .send(JSON.stringify({ name: 'new' }));

const projects = (headers: Headers) =>
  request(listener)
    .get('/v1/projects')
    .set({ ...FROM_PAGE, ...headers });

describe('unlocking administration', () => {
  test('sets a second cookie for an hour, which pages cannot read and which does not show the token', async () => {
    const response = await unlock({ admin_token: 'admin-token' }).expect(200);
    expect(String(response.headers['set-cookie'])).toMatch(
      /^__Host-assay-administration=[\w-]{60,}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    const sealed = Buffer.from(cookieFrom(response).split('=')[1] ?? '', 'base64url').toString('latin1');
    expect(JSON.stringify([response.headers, response.body]) + sealed).not.toContain('admin-token');
    const { unlocked_until: end } = response.body as { unlocked_until: string };
    const described = await request(listener)
      .get('/console/session')
      .set({ ...FROM_PAGE, Cookie: `${session}; ${cookieFrom(response)}` });
    expect(described.body).toMatchObject({ administration_until: end });
    expect(seen.log.join()).not.toContain('admin-token');
  });

  test.each<[string, object, Headers, number]>([
    ['with a key of the project', { admin_token: 'project-key' }, {}, 403],
    ['with a part of the token', { admin_token: 'admin-toke' }, {}, 403],
    ['with nothing', {}, {}, 400],
    ['with an empty token', { admin_token: '' }, {}, 400],
    ['with a token that is too long', { admin_token: 'x'.repeat(1_025) }, {}, 400],
    ['without a session', { admin_token: 'admin-token' }, { Cookie: '' }, 401],
    ['from another site', { admin_token: 'admin-token' }, { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ])('is refused %s', async (_name, body, headers, status) => {
    const refused = await unlock(body, headers).expect(status);
    expect(refused.headers['set-cookie']).toBeUndefined();
  });

  test('takes the token of a named administrator, whose role then holds', async () => {
    const id = 'viewer'.padEnd(24, '0');
    const token = administratorToken(id, 's'.repeat(58));
    const viewer = { administrator: true, id, name: 'ada', role: 'viewer' } as const;
    ({ listener } = consoleApp({
      authenticator: {
        authenticate: (key) => Promise.resolve(key === 'project-key' ? CALLER : undefined),
        authenticateAdministrator: (sent) => Promise.resolve(sent === token ? viewer : undefined),
      },
    }));
    const cookie = `${session}; ${cookieFrom(await unlock({ admin_token: token }).expect(200))}`;
    expect((await projects({ Cookie: cookie, ...ADMINISTRATION })).body).toMatchObject([{ id: 'all' }]);
    const refused = await createProject({ Cookie: cookie, ...ADMINISTRATION }).expect(403);
    expect((refused.body as { message: string }).message).toContain('role admin');
    await unlock({ admin_token: administratorToken(id, 'x'.repeat(58)) }).expect(403);
  });

  test('can be tried ten times in a minute, together with signing in', async () => {
    for (let attempt = 0; attempt < 9; attempt++) await unlock({ admin_token: 'guess' }).expect(403);
    const late = await unlock({ admin_token: 'admin-token' }).expect(429);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('is impossible where the process has no token', async () => {
    ({ listener } = consoleApp({ adminToken: undefined }));
    await unlock({ admin_token: 'admin-token' }).expect(403);
  });

  test('is taken back by locking, and by signing out', async () => {
    const cookie = await unlocked();
    for (const path of ['/console/session/administration', '/console/session']) {
      const response = await request(listener)
        .delete(path)
        .set({ ...FROM_PAGE, Cookie: cookie, 'Content-Type': 'application/json' })
        .expect(200);
      expect(String(response.headers['set-cookie'])).toContain('__Host-assay-administration=; Max-Age=0;');
    }
  });
});

describe('a request with the cookie of unlocked administration', () => {
  test('is one of the administrator on routes of the administrator', async () => {
    const cookie = await unlocked();
    await createProject({ Cookie: cookie, ...ADMINISTRATION }).expect(200);
    expect((await projects({ Cookie: cookie, ...ADMINISTRATION })).body).toMatchObject([{ id: 'all' }]);
  });

  test('is one of the session where the page does not ask for more, and on routes of projects', async () => {
    const cookie = await unlocked();
    expect((await projects({ Cookie: cookie, 'Assay-Project': 'p1' })).body).toMatchObject([{ id: 'p1' }]);
    const search = await request(listener)
      .post('/v1/events/search')
      .set({ ...FROM_PAGE, Cookie: cookie, 'Assay-Project': 'p1', ...ADMINISTRATION })
      .send({ filters: [] });
    expect([search.status, search.body]).toMatchObject([200, { totalEvents: 'p1'.length }]);
  });

  test('is refused from other sites, without the header that only pages of the console send, and when locked', async () => {
    const cookie = await unlocked();
    const crossed = { Cookie: cookie, ...ADMINISTRATION, 'Sec-Fetch-Site': 'cross-site' };
    expect((await createProject(crossed)).status).toBe(403);
    expect((await createProject({ Cookie: cookie })).status).toBe(401);
    expect((await createProject({ Cookie: cookie, 'Assay-Administration': 'yes' })).status).toBe(401);
    const locked = await createProject({ Cookie: session, ...ADMINISTRATION });
    expect([locked.status, locked.headers['cache-control']]).toEqual([403, 'no-store']);
    expect((locked.body as { message: string }).message).toContain('administration is locked');
  });

  test('ends after an hour, and is none that was sealed as a session or by another process', async () => {
    const seal = makeAdministrationSeal([SECRET]);
    const now = Math.floor(Date.now() / 1_000);
    const value = { token: 'admin-token', expires: now + 60 };
    const of = (text: string) => ({
      Cookie: `${session}; __Host-assay-administration=${text}`,
      ...ADMINISTRATION,
    });
    await createProject(of(seal.seal(value))).expect(200);
    await createProject(of(seal.seal({ ...value, expires: now - 1 }))).expect(403);
    const asSession = { keys: [], annotator: null, ...value };
    await createProject(of(makeSessionSeal([SECRET]).seal(asSession))).expect(403);
    await createProject(of(makeAdministrationSeal(['another secret of enough']).seal(value))).expect(403);
  });

  test('has no rights once the token has been replaced', async () => {
    const cookie = await unlocked();
    ({ listener } = consoleApp({ adminToken: 'another-token' }));
    await createProject({ Cookie: cookie, ...ADMINISTRATION }).expect(401);
  });
});
