import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { CookieJar } from '../harness/identity/cookie-jar.js';
import { signInAtProvider } from '../harness/identity/sign-in-at-provider.js';
import {
  claimsOf,
  signed,
  startIdentityProvider,
  type ExchangeFault,
  type IdentityProvider,
} from '../harness/identity/start-identity-provider.js';
import { Client } from '../harness/stack/client.js';
import { consoleFolder } from '../harness/stack/console-folder.js';
import { freePort } from '../harness/stack/free-port.js';
import { startEmbeddedSplit } from '../harness/stack/start-embedded-split.js';
import { NO_GRPC, startStandalone } from '../harness/stack/start-standalone.js';

const PEOPLE = {
  ada: { groups: ['readers', 'unknown'], email: 'ada@example.com' },
  olga: { groups: ['owners'], preferred_username: 'olga' },
  nina: { groups: ['unknown'] },
  none: {},
  many: { groups: [...Array.from({ length: 9_000 }, (_, n) => `group-${n}`), 'readers'] },
  all: { groups: Array.from({ length: 200 }, (_, n) => `a-group-of-the-file-${n}`) },
};
const GROUPS = {
  ...Object.fromEntries(PEOPLE.all.groups.map((group) => [group, { '*': 'viewer' }])),
  readers: { '*': 'viewer' },
  owners: { '*': 'owner' },
};
const SECRET = 'secret-of-the-sessions-of-this-test';
const BEGIN = '/console/session/provider';
const SIGN_IN = '/console/sign-in';

interface Session {
  readonly projects: readonly {
    readonly id: string;
    readonly key_id: string;
    readonly permissions: unknown;
  }[];
  readonly project: string;
  readonly annotator: string;
  readonly person: string | null;
}
interface Installation {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly adminToken: string;
}

/** A browser at the console. Each has an address of its own, because an address may sign in ten times a minute. */
class Browser {
  static count = 0;
  readonly jar = new CookieJar();
  readonly #address = `203.0.113.${++Browser.count}`;

  constructor(readonly baseUrl: string) {}

  async send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: object,
  ): Promise<Response> {
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      redirect: 'manual',
      headers: { cookie: this.jar.header(), 'x-forwarded-for': this.#address, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.jar.take(response);
    return response;
  }

  /** Opens an address, as a person does, and returns where it leads. */
  async open(path: string): Promise<string> {
    const response = await this.send('GET', path, { 'sec-fetch-site': 'cross-site' });
    expect(response.status).toBe(302);
    expect(await response.text()).toBe('');
    return response.headers.get('location') ?? '';
  }

  /** Sends what a page of the console sends. */
  page(method: string, path: string, headers: Record<string, string> = {}, body?: object): Promise<Response> {
    return this.send(
      method,
      path,
      { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
      body,
    );
  }

  /** Signs in, and returns where the console continues. */
  async signIn(person: string, path = BEGIN): Promise<string> {
    return this.open(await signInAtProvider(await this.open(path), person));
  }

  async session(): Promise<Session> {
    const response = await this.page('GET', '/console/session');
    expect(response.status).toBe(200);
    return (await response.json()) as Session;
  }
}

describe('signing in to the console with the identity provider', () => {
  let folder: string;
  let provider: IdentityProvider;
  let settings: Record<string, string>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-people-'));
    provider = await startIdentityProvider(PEOPLE);
    const file = join(folder, 'groups.json');
    writeFileSync(file, JSON.stringify(GROUPS));
    settings = {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'assay', OIDC_GROUPS_FILE: file },
      ...{ OIDC_CLIENT_ID: 'console', OIDC_SCOPES: 'openid profile email groups' },
    };
  }, 60_000);
  afterAll(async () => {
    await provider.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const ofConsole = () => ({
    ...{ CONSOLE_DIR: consoleFolder(), CONSOLE_SESSION_SECRET: SECRET, TRUSTED_PROXIES: '127.0.0.0/8' },
  });

  describe('at the single process', () => {
    let stack: Awaited<ReturnType<typeof startStandalone>>;
    let browser: Browser;
    beforeAll(async () => {
      stack = await startStandalone({ ...NO_GRPC, ...settings, ...ofConsole() });
    }, 120_000);
    beforeEach(() => void (browser = new Browser(stack.baseUrl)));
    afterEach(() => provider.breakExchange(undefined));
    afterAll(async () => {
      expect(await stack.stop()).toBe(true);
    }, 60_000);

    it('makes a session of the person, who is the annotator and in the audit trail', () =>
      expectSession(stack, browser));

    it('asks with PKCE, a state and a nonce, which are new each time, and keeps them sealed', async () => {
      const asked = [await browser.open(BEGIN), await browser.open(BEGIN)].map((url) => new URL(url));
      for (const { origin, pathname, searchParams } of asked) {
        expect(origin + pathname).toBe(`${provider.issuer}/auth`);
        expect(Object.fromEntries(searchParams)).toEqual({
          ...{ response_type: 'code', client_id: 'console', code_challenge_method: 'S256' },
          ...{ scope: 'openid profile email groups', redirect_uri: `${stack.baseUrl}${BEGIN}/callback` },
          state: expect.stringMatching(/^[\w-]{43}$/) as string,
          nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
          code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
        });
      }
      for (const name of ['state', 'nonce', 'code_challenge'])
        expect(new Set(asked.map(({ searchParams }) => searchParams.get(name))).size).toBe(2);
      const begun = await browser.send('GET', BEGIN);
      expect(begun.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-assay-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ]);
      expect(begun.headers.get('cache-control')).toBe('no-store');
    });

    it.each([
      ['/p/p1/events?range=30d', '/console/p/p1/events?range=30d'],
      ['/api?q=a%20b', '/console/api?q=a%20b'],
      ['//evil.example/p', '/console//evil.example/p'],
      ['https://evil.example', '/console/'],
      ['@evil.example', '/console/'],
      ['/../../v1/projects', '/console/'],
      ['/%2e%2e/v1/projects', '/console/'],
      ['/\\evil.example', '/console//evil.example'],
      ['/p/\r\nset-cookie: a=b', '/console/p/set-cookie:%20a=b'],
      ['/session/provider', '/console/'],
      [`/p/${'x'.repeat(2_000)}`, '/console/'],
    ])('continues at a page of the console alone, with %j', async (next, target) => {
      expect(await browser.signIn('ada', `${BEGIN}?${new URLSearchParams({ next }).toString()}`)).toBe(
        target,
      );
    });

    it('takes an outcome once, and only in the browser that began it', async () => {
      const returned = await signInAtProvider(await browser.open(BEGIN), 'ada');
      const other = new Browser(stack.baseUrl);
      expect(await other.open(returned)).toBe(`${SIGN_IN}?problem=expired`);
      await other.open(BEGIN);
      expect(await other.open(returned)).toBe(`${SIGN_IN}?problem=expired`);
      expect((await other.page('GET', '/console/session')).status).toBe(401);
      expect(await browser.open(returned)).toBe('/console/');
      expect(await browser.open(returned)).toBe(`${SIGN_IN}?problem=expired`);
      expect((await browser.session()).annotator).toBe('ada_example_com');
    });

    it('refuses a code that was used before', async () => {
      const returned = await signInAtProvider(await browser.open(BEGIN), 'ada');
      await browser.open(returned);
      const again = new Browser(stack.baseUrl);
      const begun = new URL(await again.open(BEGIN));
      const replayed = new URL(returned);
      replayed.searchParams.set('state', begun.searchParams.get('state') ?? '');
      expect(await again.open(replayed.href)).toBe(`${SIGN_IN}?problem=refused`);
    });

    it('says on its page why a person is not signed in, and keeps the page that was asked for', async () => {
      const path = `${BEGIN}?next=/p/p1/runs`;
      const next = `next=${encodeURIComponent('/p/p1/runs')}`;
      for (const [person, problem] of [
        ['', 'denied'],
        ['nina', 'no_access'],
        ['none', 'no_access'],
        ['all', 'too_many_groups'],
      ] as const) {
        expect(await browser.signIn(person, path)).toBe(`${SIGN_IN}?problem=${problem}&${next}`);
        expect((await browser.page('GET', '/console/session')).status).toBe(401);
      }
      const begun = new URL(await browser.open(path));
      const state = begun.searchParams.get('state') ?? '';
      expect(
        await browser.open(
          `${BEGIN}/callback?${new URLSearchParams({ state, error: 'server_error' }).toString()}`,
        ),
      ).toBe(`${SIGN_IN}?problem=refused&${next}`);
      for (const returned of ['', '?code=x', '?state=', '?code=x&state=x&error=%00'])
        expect(await browser.open(`${BEGIN}/callback${returned}`)).toBe(`${SIGN_IN}?problem=expired`);
    });

    it('refuses an outcome of another issuer', async () => {
      const returned = new URL(await signInAtProvider(await browser.open(BEGIN), 'ada'));
      expect(returned.searchParams.get('iss')).toBe(provider.issuer);
      returned.searchParams.set('iss', 'https://other.example');
      const before = provider.exchanges.length;
      expect(await browser.open(returned.href)).toBe(`${SIGN_IN}?problem=refused`);
      expect(provider.exchanges).toHaveLength(before);
    });

    it('signs in a person with thousands of groups, of which the session has those of the file', async () => {
      expect(await browser.signIn('many')).toBe('/console/');
      expect((await browser.session()).projects).toHaveLength(1);
      expect(browser.jar.header().length).toBeLessThan(2_000);
    });

    const now = () => Math.floor(Date.now() / 1_000);
    const genuine = (nonce: string) => ({ aud: 'console', sub: 'ada', nonce, groups: ['readers'] });
    it.each<[string, (nonce: string) => string, string]>([
      ['of another sign-in', () => provider.forge(genuine('other')), 'refused'],
      ['without a nonce', () => provider.forge({ ...genuine(''), nonce: undefined }), 'refused'],
      ['for another audience', (nonce) => provider.forge({ ...genuine(nonce), aud: 'assay' }), 'refused'],
      ['for another client', (nonce) => provider.forge({ ...genuine(nonce), azp: 'other' }), 'refused'],
      [
        'of another issuer',
        (nonce) => provider.forge({ ...genuine(nonce), iss: 'https://a.example' }),
        'refused',
      ],
      ['that has expired', (nonce) => provider.forge({ ...genuine(nonce), exp: now() - 60 }), 'refused'],
      [
        'without a signature',
        (nonce) => signed({ alg: 'none' }, claimsOf(provider.issuer, genuine(nonce)), Buffer.alloc(0)),
        'refused',
      ],
      ['that is no token', () => 'a.b.c', 'refused'],
    ])('refuses an ID token %s', async (_name, idToken, problem) => {
      const asked = await browser.open(BEGIN);
      const returned = await signInAtProvider(asked, 'ada');
      const forged = idToken(new URL(asked).searchParams.get('nonce') ?? '');
      provider.breakExchange({ idToken: forged });
      expect(await browser.open(returned)).toBe(`${SIGN_IN}?problem=${problem}`);
      expect((await browser.page('GET', '/console/session')).status).toBe(401);
    });

    it('accepts a genuine ID token of the same form as the refused ones', async () => {
      const asked = await browser.open(BEGIN);
      const returned = await signInAtProvider(asked, 'ada');
      const nonce = new URL(asked).searchParams.get('nonce') ?? '';
      provider.breakExchange({ idToken: provider.forge(genuine(nonce)) });
      expect(await browser.open(returned)).toBe('/console/');
    });

    it.each<[ExchangeFault, string]>([
      ['hang', 'unreachable'],
      ['huge', 'unreachable'],
      ['fail', 'unreachable'],
      ['garbage', 'unreachable'],
      ['redirect', 'unreachable'],
    ])('says so when the provider does not exchange the code: %s', async (fault, problem) => {
      const returned = await signInAtProvider(await browser.open(BEGIN), 'ada');
      provider.breakExchange(fault);
      expect(await browser.open(returned)).toBe(`${SIGN_IN}?problem=${problem}`);
    });

    it('lets an address try ten times a minute', async () => {
      const problems: string[] = [];
      provider.breakExchange('fail');
      for (let n = 0; n < 11; n++) {
        const state = new URL(await browser.open(BEGIN)).searchParams.get('state') ?? '';
        problems.push(
          await browser.open(
            `${BEGIN}/callback?${new URLSearchParams({ state, code: 'guessed' }).toString()}`,
          ),
        );
      }
      expect(problems).toEqual([
        ...Array.from({ length: 10 }, () => `${SIGN_IN}?problem=unreachable`),
        `${SIGN_IN}?problem=too_many`,
      ]);
    });

    it('signs in over HTTPS or on the loopback alone', async () => {
      const response = await browser.send('GET', BEGIN, { 'x-forwarded-host': 'assay.example.com' });
      expect(response.headers.get('location')).toBe(`${SIGN_IN}?problem=insecure`);
      const secure = await browser.send('GET', BEGIN, {
        ...{ 'x-forwarded-host': 'assay.example.com', 'x-forwarded-proto': 'https' },
      });
      const asked = new URL(secure.headers.get('location') ?? '');
      expect(asked.searchParams.get('redirect_uri')).toBe(`https://assay.example.com${BEGIN}/callback`);
    });

    it('ends the session with the ID token, and never earlier than it says', async () => {
      let exp = 0;
      let target = '';
      // A busy machine needs longer to sign in at all.
      for (let seconds = 3; target !== '/console/'; seconds *= 2) {
        browser = new Browser(stack.baseUrl);
        const asked = await browser.open(BEGIN);
        const returned = await signInAtProvider(asked, 'ada');
        const nonce = new URL(asked).searchParams.get('nonce') ?? '';
        exp = now() + seconds;
        provider.breakExchange({ idToken: provider.forge({ ...genuine(nonce), exp }) });
        target = await browser.open(returned);
      }
      const statusOf = async () => (await browser.page('GET', '/v1/charts')).status;
      const hasEnded = async () => {
        const status = await statusOf();
        if (now() < exp) expect(status).toBe(200);
        else expect([200, 401]).toContain(status);
        return status === 401;
      };
      await waitFor('the session has ended', hasEnded, { withinMs: 60_000, pollIntervalMs: 50 });
      expect((await browser.page('GET', '/console/session')).status).toBe(401);
    });

    it('refuses other methods, and cookies that it has not sealed for this', async () => {
      for (const path of [BEGIN, `${BEGIN}/callback`, '/console/session/options']) {
        const response = await browser.page('POST', path, {}, {});
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
      }
      await browser.signIn('ada');
      const { value } = /^__Host-assay=(?<value>.*)$/.exec(browser.jar.header())?.groups ?? {};
      const other = new Browser(stack.baseUrl);
      const headers = { cookie: `__Host-assay-sign-in=${value}` };
      const response = await other.send('GET', `${BEGIN}/callback?state=undefined&code=x`, headers);
      expect(response.headers.get('location')).toBe(`${SIGN_IN}?problem=expired`);
    });

    it('takes no token of its own sessions that others have made up', async () => {
      const claims = { iss: 'assay', sub: 'olga', name: 'olga', groups: ['owners'], exp: now() + 600 };
      for (const alg of ['none', 'HS256', 'RS256']) {
        const token =
          alg === 'RS256'
            ? provider.forge(claims, { typ: 'assay-session+jwt' })
            : signed({ alg, typ: 'assay-session+jwt' }, claims, Buffer.alloc(alg === 'none' ? 0 : 32));
        const response = await new Client(stack).call('GET', '/v1/charts', { key: token });
        expect([response.status, response.json<{ message: string }>().message]).toEqual([
          401,
          'the session has ended, sign in again',
        ]);
      }
    });

    it('writes no code, token or state into the log', () => {
      const log = readFileSync(join(stack.dir, 'standalone.log'), 'utf8');
      expect(provider.exchanges.length).toBeGreaterThan(10);
      for (const { form } of provider.exchanges)
        for (const name of ['code', 'code_verifier']) expect(log).not.toContain(form.get(name));
      expect(log).not.toContain('eyJ');
    });
  });

  it('sends the secret of a client that has one in the header', async () => {
    const stack = await startStandalone({
      ...{ ...NO_GRPC, ...settings, ...ofConsole(), OIDC_CLIENT_ID: 'console-of-a-secret' },
      OIDC_CLIENT_SECRET: 'secret-of-every-person-of-the-test',
    });
    expect(await new Browser(stack.baseUrl).signIn('ada')).toBe('/console/');
    const { authorization, form } = provider.exchanges.at(-1)!;
    expect(authorization).toMatch(/^Basic /);
    expect([form.get('client_secret'), form.get('client_id')]).toEqual([null, null]);
    expect(await stack.stop()).toBe(true);
  }, 120_000);

  it('is offered only where a client is configured', async () => {
    const { OIDC_CLIENT_ID: _id, OIDC_SCOPES: _scopes, ...others } = settings;
    const stack = await startStandalone({ ...NO_GRPC, ...others, ...ofConsole() });
    const browser = new Browser(stack.baseUrl);
    expect(await (await browser.page('GET', '/console/session/options')).json()).toEqual({
      identity_provider: false,
    });
    expect(await browser.open(BEGIN)).toBe(`${SIGN_IN}?problem=unreachable`);
    expect(await stack.stop()).toBe(true);
  }, 120_000);

  it('says so while the provider cannot be reached, and keys sign in', async () => {
    const OIDC_ISSUER = `http://127.0.0.1:${await freePort()}`;
    const stack = await startStandalone({ ...NO_GRPC, ...settings, ...ofConsole(), OIDC_ISSUER });
    const browser = new Browser(stack.baseUrl);
    expect(await (await browser.page('GET', '/console/session/options')).json()).toEqual({
      identity_provider: true,
    });
    expect(await browser.open(BEGIN)).toBe(`${SIGN_IN}?problem=unreachable`);
    const byKey = await browser.page('POST', '/console/session', {}, { api_key: stack.apiKey });
    expect([byKey.status, await byKey.json()]).toMatchObject([200, { person: null }]);
    expect(await stack.stop()).toBe(true);
  }, 120_000);

  it('checks a session by the groups file of now', async () => {
    const OIDC_GROUPS_FILE = join(folder, 'changing.json');
    writeFileSync(OIDC_GROUPS_FILE, JSON.stringify(GROUPS));
    const stack = await startStandalone({ ...NO_GRPC, ...settings, ...ofConsole(), OIDC_GROUPS_FILE });
    const browser = new Browser(stack.baseUrl);
    await browser.signIn('ada');
    const statusOf = async () => (await browser.page('GET', '/v1/charts')).status;
    expect(await statusOf()).toBe(200);
    await stack.terminate('standalone');
    await stack.start('standalone');
    expect(await statusOf()).toBe(200);
    await stack.terminate('standalone');
    writeFileSync(OIDC_GROUPS_FILE, JSON.stringify({ owners: GROUPS.owners }));
    await stack.start('standalone');
    expect(await statusOf()).toBe(403);
    expect((await browser.page('GET', '/console/session')).status).toBe(401);
    expect(await stack.stop()).toBe(true);
  }, 180_000);

  it('works at both planes, with the address that CONSOLE_URL names', async () => {
    const url = 'https://assay.example.com';
    const split = await startEmbeddedSplit(
      { ...ofConsole() },
      { ...settings, ...ofConsole(), CONSOLE_URL: url },
    );
    await expectSession(split, new Browser(split.baseUrl));
    const atControlPlane = new URL(await new Browser(split.controlPlaneUrl).open(BEGIN));
    expect(atControlPlane.searchParams.get('redirect_uri')).toBe(`${url}${BEGIN}/callback`);
    expect(await split.stop()).toBe(true);
  }, 120_000);

  async function expectSession(stack: Installation, browser: Browser): Promise<void> {
    expect(await (await browser.page('GET', '/console/session/options')).json()).toEqual({
      identity_provider: true,
    });
    expect(await browser.signIn('ada')).toBe('/console/');
    const session = await browser.session();
    expect(session).toMatchObject({ annotator: 'ada_example_com', person: 'ada@example.com' });
    expect(session.projects).toMatchObject([{ id: session.project, key_id: 'person:ada' }]);
    const project = { 'assay-project': session.project };
    const chart = { name: 'c', metric: 'cost' };
    expect((await browser.page('GET', '/v1/charts')).status).toBe(200);
    expect((await browser.page('POST', '/v1/charts', project, chart)).status).toBe(403);
    expect((await browser.page('POST', '/console/session', {}, { annotator: 'eve' })).status).toBe(403);

    const owner = new Browser(stack.baseUrl);
    await owner.signIn('olga');
    expect((await owner.page('POST', '/v1/charts', project, chart)).status).toBe(200);
    const trail = await fetch(`${stack.baseUrl}/v1/audit-entries?limit=1`, {
      headers: { authorization: `Bearer ${stack.adminToken}` },
    });
    expect(((await trail.json()) as { entries: object[] }).entries[0]).toMatchObject({
      ...{ action: 'chart.created', actor: 'person', actor_id: 'olga', actor_name: 'olga' },
    });
    const foreign = await owner.page('GET', '/v1/charts', { 'assay-project': 'none' });
    expect(foreign.status).toBe(403);

    // A key of a project beside the person, who stays the annotator.
    const signedIn = await owner.page('POST', '/console/session', {}, { api_key: stack.apiKey });
    expect(await signedIn.json()).toMatchObject({ annotator: 'olga', person: 'olga' });
    expect((await owner.page('DELETE', '/console/session')).status).toBe(200);
    expect((await owner.page('GET', '/v1/charts')).status).toBe(401);
    expect((await owner.page('GET', '/console/session')).status).toBe(401);
  }
});
