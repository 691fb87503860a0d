import request from 'supertest';
import { consoleApp, FORMER_SECRET, SECRET } from '../../test/console-fixture.js';
import { cookieFrom, cookieOf, FROM_PAGE, signIn } from '../../test/console-client.js';
import { INGEST_KEY, KEY } from '../../test/sample-app.js';

// Each test has attempts of its own.
let { listener, console: served } = consoleApp();
beforeEach(() => void ({ listener, console: served } = consoleApp()));
const BY_KEY = { api_key: 'project-key' };

describe('signing in', () => {
  test('with a key sets a cookie that only this address gets, and that pages cannot read', async () => {
    const response = await signIn(listener, { ...BY_KEY, annotator: 'ada' });
    expect(response.status).toBe(200);
    expect(String(response.headers['set-cookie'])).toMatch(
      /^__Host-assay=[\w-]{100,}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(JSON.stringify([response.headers, response.body])).not.toContain('project-key');
    expect(
      Buffer.from(cookieFrom(response).split('=')[1] ?? '', 'base64url').toString('latin1'),
    ).not.toContain('key');
    expect(response.body).toEqual({
      projects: [
        {
          ...{ id: 'p1', name: 'Überprüfung', key_id: 'k1', permissions: null },
          expires_at: expect.any(String) as string,
        },
      ],
      ...{ project: 'p1', annotator: 'ada', person: null, administration_until: null },
      ...{ plane: 'data-plane', redact_values: false, version: '' },
      capabilities: ['createProject', 'getEvent', 'listProjects', 'searchEvents', 'updateEvent'],
      data_plane_url: null,
    });
  });

  test('with another key adds its project, and the latest is that of requests that name none', async () => {
    const first = await cookieOf(listener, { ...BY_KEY, annotator: 'ada' });
    const both = await signIn(listener, { api_key: 'other-key' }, { Cookie: first });
    expect(both.body).toMatchObject({ project: 'p2', annotator: 'ada' });
    const again = await signIn(listener, BY_KEY, { Cookie: cookieFrom(both) });
    expect((again.body as { projects: object[] }).projects).toHaveLength(2);
    const named = await request(listener)
      .get('/console/session')
      .set({ ...FROM_PAGE, Cookie: cookieFrom(again), 'Assay-Project': 'p2' });
    expect(named.body).toMatchObject({ project: 'p2' });
  });

  test('is not needed to annotate under another name', async () => {
    const cookie = await cookieOf(listener, { ...BY_KEY, annotator: 'ada' });
    const names = Array.from({ length: 12 }, (_, nth) => `ada-${nth}`);
    for (const annotator of names) {
      const renamed = await signIn(listener, { annotator }, { Cookie: cookie }).expect(200);
      expect(renamed.body).toMatchObject({ annotator, project: 'p1' });
      const read = await request(listener)
        .get('/console/session')
        .set({ ...FROM_PAGE, Cookie: cookieFrom(renamed) });
      expect(read.body).toMatchObject({ annotator });
    }
    await signIn(listener, { annotator: 'ada@example.com' }, { Cookie: cookie }).expect(400);
    await signIn(listener, { annotator: 'eve' }).expect(401);
    await signIn(listener, { annotator: 'eve' }, { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' }).expect(
      403,
    );
  });

  test('fails with the same words for every key and code that does not fit', async () => {
    const bodies = await Promise.all(
      [{ api_key: 'unknown-key' }, { api_key: 'x' }, { api_key: 'admin-token' }, { code: 'unknown' }].map(
        async (body) => (await signIn(listener, body).expect(401)).body as { message: string },
      ),
    );
    const same = 'the key or the link is unknown, used, expired or revoked';
    expect(bodies.map(({ message }) => message)).toEqual(bodies.map(() => same));
  });

  test('says what is wrong with the request, never the value', async () => {
    const { listener: own } = consoleApp();
    for (const [body, status, text] of [
      [{ api_key: 'ingest-key' }, 403, 'the console needs one that may read'],
      [{ api_key: 'key-of-the-outage' }, 503, 'unreachable'],
      [{}, 400, 'exactly one of api_key and code'],
      [{ ...BY_KEY, code: 'c' }, 400, 'exactly one of api_key and code'],
      [{ ...BY_KEY, next: '//evil.example' }, 400, 'next'],
      [
        { ...BY_KEY, annotator: 'ada@example.com' },
        400,
        'annotator must be 1 to 64 letters, digits, "_" and "-"',
      ],
      [{ ...BY_KEY, annotator: 'a'.repeat(20_000) }, 413, ''],
    ] as const) {
      const response = await signIn(own, body).expect(status);
      expect((response.body as { message: string }).message).toContain(text);
      expect(JSON.stringify(response.body)).not.toContain('evil.example');
    }
  });

  test('is possible ten times a minute from an address', async () => {
    const {
      listener: own,
      console: { codes },
    } = consoleApp({ trustedProxies: ['127.0.0.1'] });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const code = codes.create('p1', () => Promise.resolve('project-key'));
    const guesses = Array.from({ length: 20 }, (_, index) => ({ code: `guess-${index}` }));
    const statuses: number[] = [];
    for (const guess of guesses) statuses.push((await signIn(own, guess, from('198.51.100.7'))).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(10).fill(429)]);
    const limited = await signIn(own, BY_KEY, from('198.51.100.7'));
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(limited.body).toMatchObject({ errorCode: 'RATE_LIMITED' });
    for (let n = 0; n < 10; n++) await signIn(own, { code: 'x' }, from(`2001:db8::${n}`)).expect(401);
    await signIn(own, { code: 'x' }, from('2001:db8:0:0:ffff::1')).expect(429);
    await signIn(own, { code }, from('198.51.100.8')).expect(200);
  });
});

describe('over plain HTTP at another address than the loopback', () => {
  const elsewhere = { Host: 'assay.internal:8090', Origin: 'http://assay.internal:8090' };
  const post = (own: typeof listener, headers: Record<string, string> = {}) =>
    request(own)
      .post('/console/session')
      .set({ ...elsewhere, ...headers })
      .send(BY_KEY);

  test('signing in is refused with advice', async () => {
    const response = await post(listener).expect(403);
    expect((response.body as { message: string }).message).toContain('CONSOLE_ALLOW_HTTP=true');
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test('signing in is possible where that is allowed, without the marks that need encryption', async () => {
    const { listener: own } = consoleApp({ allowsHttp: true });
    const response = await post(own).expect(200);
    expect(String(response.headers['set-cookie'])).toMatch(
      /^assay-console=\S+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    await request(own)
      .post('/v1/events/search')
      .set({ ...elsewhere, Cookie: cookieFrom(response), 'Assay-Project': 'p1' })
      .send({ filters: [] })
      .expect(200);
  });

  test('only a trusted proxy can say that it is encrypted, or which host it is', async () => {
    const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'assay.example.com' };
    const Origin = 'https://assay.example.com';
    await post(listener, { ...proxied, Origin }).expect(403);
    await post(listener, proxied).expect(403);
    const { listener: own } = consoleApp({ trustedProxies: ['127.0.0.1'] });
    const response = await post(own, { ...proxied, Origin }).expect(200);
    expect(cookieFrom(response)).toMatch(/^__Host-assay=/);
    await post(own, { ...proxied, Origin: 'http://assay.internal:8090' }).expect(403);
  });
});

describe('the session', () => {
  test('is unknown without a cookie, and with one that was cut, changed or sealed elsewhere', async () => {
    const cookie = await cookieOf(listener, BY_KEY);
    const { listener: stranger } = consoleApp({ secrets: ['another secret of enough characters'] });
    const foreign = await cookieOf(stranger, BY_KEY);
    const changed = cookie.slice(0, 60) + (cookie[60] === 'A' ? 'B' : 'A') + cookie.slice(61);
    for (const sent of [
      '',
      'other=1',
      cookie.slice(0, -1),
      cookie.slice(0, 30),
      '__Host-assay=',
      changed,
      foreign,
    ]) {
      const response = await request(listener)
        .get('/console/session')
        .set({ ...FROM_PAGE, Cookie: sent });
      expect([response.status, response.headers['cache-control']]).toEqual([401, 'no-store']);
    }
    await request(listener)
      .get('/console/session')
      .set({ ...FROM_PAGE, Cookie: cookie })
      .expect(200);
  });

  test('survives the replacement of the secret while the former one is named', async () => {
    const { listener: before } = consoleApp({ secrets: [FORMER_SECRET] });
    const { listener: during } = consoleApp({ secrets: [SECRET, FORMER_SECRET] });
    const former = await cookieOf(before, BY_KEY);
    const renewed = await request(during)
      .get('/console/session')
      .set({ ...FROM_PAGE, Cookie: former })
      .expect(200);
    const after = { ...FROM_PAGE, Cookie: cookieFrom(renewed) };
    await request(listener).get('/console/session').set(after).expect(200);
    await request(listener)
      .get('/console/session')
      .set({ ...FROM_PAGE, Cookie: former })
      .expect(401);
  });

  test('ends in the browser by signing out', async () => {
    const cookie = await cookieOf(listener, BY_KEY);
    const response = await request(listener)
      .delete('/console/session')
      .set({ ...FROM_PAGE, Cookie: cookie, 'Content-Type': 'application/json' })
      .expect(200);
    expect(String(response.headers['set-cookie'])).toMatch(/^__Host-assay=; Max-Age=0; Path=\/;/);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('has the name that a trusted proxy states, and no name that others state', async () => {
    const options = { identityHeader: 'x-forwarded-user' };
    const { listener: trusting } = consoleApp({ ...options, trustedProxies: ['127.0.0.1'] });
    const { listener: trustingNone } = consoleApp(options);
    const named = { 'X-Forwarded-User': 'grace@example.com' };
    const of = async (own: typeof listener) =>
      ((await signIn(own, { ...BY_KEY, annotator: 'ada' }, named)).body as { annotator: string }).annotator;
    expect([await of(trusting), await of(trustingNone)]).toEqual(['grace_example_com', 'ada']);
  });
});

describe('a link with a code', () => {
  test('signs in once', async () => {
    const made = await request(listener).post('/console/code').set(KEY).expect(200);
    const { code } = made.body as { code: string };
    expect(made.body).toEqual({
      code: expect.stringMatching(/^[\w-]{32}$/) as string,
      expires_in_seconds: 600,
    });
    await signIn(listener, { code }).expect(200);
    await signIn(listener, { code }).expect(401);
  });

  test('is of no use after ten minutes', async () => {
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    try {
      const { listener: own } = consoleApp();
      const make = async () => (await request(own).post('/console/code').set(KEY)).body as { code: string };
      const [first, second] = [await make(), await make()];
      clock.mockReturnValue(start + 599_999);
      await signIn(own, { code: first.code }).expect(200);
      clock.mockReturnValue(start + 600_000);
      await signIn(own, { code: second.code }).expect(401);
    } finally {
      clock.mockRestore();
    }
  });

  test('is made only for who has a key that may read', async () => {
    await request(listener).post('/console/code').expect(401);
    await request(listener).post('/console/code').set(INGEST_KEY).expect(403);
    const Cookie = cookieFrom(await signIn(consoleApp().listener, BY_KEY));
    await request(listener)
      .post('/console/code')
      .set({ ...FROM_PAGE, Cookie })
      .expect(401);
  });

  test('stays usable when its key cannot be made', async () => {
    let attempts = 0;
    const code = served.codes.create('p1', () =>
      attempts++ === 0 ? Promise.reject(new Error('the disk is full')) : Promise.resolve('project-key'),
    );
    await signIn(listener, { code }).expect(500);
    await signIn(listener, { code }).expect(200);
  });
});
