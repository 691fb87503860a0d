import { randomUUID } from 'node:crypto';
import { sealedCookie } from '@assay/http/test/sealed-cookie';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import { ConsoleBrowser } from '../harness/stack/console-browser.js';
import type { Stack } from '../harness/stack/stack.js';

interface SessionBody {
  readonly projects: readonly {
    readonly id: string;
    readonly permissions: unknown;
    readonly expires_at: string;
  }[];
  readonly project: string;
  readonly annotator: string | null;
  readonly plane: string;
  readonly capabilities: readonly string[];
}

const SEARCH = { filters: [] };
const EVENT = { event_type: 'model', event_name: 'asked', inputs: { q: 'hello' } };
/** Set as `CONSOLE_SESSION_SECRET` of the process. */
export const SESSION_SECRET = 'secret of the sessions of both planes';
const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * People in a browser: they sign in with keys, the cookie works on the routes that are for them and nowhere else, and what other pages
 * try with it fails.
 * @param plane what the process says of itself
 * @param key a key of a project that this installation serves; read inside tests
 */
export function usesConsoleSessions(
  { client, stack }: { readonly client: Client; readonly stack: Stack },
  plane: string,
  key: () => string,
): void {
  const newBrowser = () => new ConsoleBrowser(client, stack);
  let browser: ConsoleBrowser;
  let project: string;
  beforeAll(async () => {
    browser = newBrowser();
    const signedIn = await browser.signIn({ api_key: key(), annotator: 'ada' });
    expect({ status: signedIn.status, text: signedIn.status === 200 ? '' : signedIn.text }).toEqual({
      status: 200,
      text: '',
    });
    project = signedIn.json<SessionBody>().project;
  });
  const createKey = async (permissions: string[], expires_at?: string) => {
    const path = `/v1/projects/${project}/fine_grained_api_keys`;
    const made = await client.post(path, { permissions, ...(expires_at && { expires_at }) }, { key: key() });
    return made.json<{ data: { key_id: string; key_value: string } }>().data;
  };

  it('describes the session, and what this process serves', async () => {
    const described = (await browser.send('GET', '/console/session')).json<SessionBody>();
    expect(described).toMatchObject({ project, annotator: 'ada', plane });
    expect(described.projects).toHaveLength(1);
    expect(described.capabilities).toEqual(
      expect.arrayContaining(['getSessionTree', 'listRuns', 'createIngestionApiKey']),
    );
    expect(described.capabilities).not.toContain('createEvent');
    const page = await client.call('GET', '/console/p/1/sessions', {
      key: '',
      headers: { accept: 'text/html' },
    });
    expect([page.status, page.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('reads and changes resources, and manages keys, with the rights of the key', async () => {
    expect((await browser.of(project, 'POST', '/v1/events/search', SEARCH)).status).toBe(200);
    const created = await browser.of(project, 'POST', '/v1/charts', { name: 'c', metric: 'cost' });
    expect([created.status, created.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const made = await browser.of(project, 'POST', `/v1/projects/${project}/ingestion_api_keys`, {
      name: 'start page',
    });
    expect(made.status).toBe(200);
    const ingest = made.json<{ data: { key_value: string } }>().data.key_value;
    expect((await client.post('/v1/events', EVENT, { key: ingest })).status).toBe(200);
    expect((await newBrowser().signIn({ api_key: ingest })).status).toBe(403);
    const texts = { name: 'for reports', description: 'read by the nightly job' };
    const grained = `/v1/projects/${project}/fine_grained_api_keys`;
    const named = await browser.of(project, 'POST', grained, { ...texts, permissions: ['events:read'] });
    expect([named.status, named.json()]).toMatchObject([200, { data: texts }]);
    const listed = await browser.of(project, 'GET', `/v1/projects/${project}/api_keys`);
    expect(listed.json<{ data: object[] }>().data).toContainEqual(expect.objectContaining(texts));
    const reader = newBrowser();
    const expires = new Date(Date.now() + DAY_MS).toISOString();
    await reader.signIn({ api_key: (await createKey(['events:read'], expires)).key_value });
    const seen = (await reader.send('GET', '/console/session')).json<SessionBody>();
    expect(seen.projects).toMatchObject([{ permissions: ['events:read'], expires_at: expires }]);
    const refused = await reader.of(project, 'POST', '/v1/charts', { name: 'c', metric: 'cost' });
    expect([refused.status, refused.json<{ message: string }>().message]).toEqual([
      403,
      'this key lacks the permission charts:write',
    ]);
  });

  it('is of no use to other pages', async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
    ];
    for (const headers of foreign) {
      const named = { ...headers, 'assay-project': project };
      for (const [method, path, body] of [
        ['POST', '/v1/charts', { name: 'foreign', metric: 'cost' }],
        ['DELETE', '/v1/events/0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e', undefined],
      ] as const)
        expect({ headers, status: (await browser.send(method, path, body, named)).status }).toEqual({
          headers,
          status: 403,
        });
      const login = await newBrowser().send('POST', '/console/session', { api_key: 'x' }, headers);
      expect({ headers, status: login.status }).toEqual({ headers, status: 403 });
    }
    const form = {
      ...browser.ownHeaders,
      'assay-project': project,
      'content-type': 'application/x-www-form-urlencoded',
    };
    expect((await browser.send('POST', '/v1/charts', { name: 'form' }, form)).status).toBe(415);
    const forwarded = {
      origin: 'https://evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    expect(
      (await browser.send('POST', '/v1/charts', {}, { ...forwarded, 'assay-project': project })).status,
    ).toBe(403);
    const charts = await browser.of(project, 'GET', '/v1/charts');
    expect(charts.text).not.toMatch(/foreign|form/);
  });

  it('is ignored where events are sent, on internal routes and on those of the administrator', async () => {
    for (const [method, path, body] of [
      ['POST', '/v1/events', EVENT],
      ['POST', '/v1/events/batch', { events: [EVENT] }],
      ['POST', '/opentelemetry/v1/traces', { resourceSpans: [] }],
      ['GET', '/v1/data-planes', undefined],
      ['POST', '/console/code', {}],
    ] as const)
      expect({ path, status: (await browser.of(project, method, path, body)).status }).toEqual({
        path,
        status: 401,
      });
    const { capabilities } = (await browser.send('GET', '/console/session')).json<SessionBody>();
    const update = await browser.of(project, 'PUT', `/v1/events/${randomUUID()}`, { metadata: {} });
    expect([401, 404].includes(update.status)).toBe(!capabilities.includes('updateEvent'));
    const internal = await browser.of(project, 'POST', '/internal/v1/keys/authenticate', { key: 'x' });
    expect(internal.status).toBe(404);
  });

  it('ends with the revocation of its key, and when the cookie is cut', async () => {
    const other = newBrowser();
    const { key_id, key_value } = await createKey([]);
    expect((await other.signIn({ api_key: key_value })).status).toBe(200);
    expect((await other.of(project, 'GET', '/v1/charts')).status).toBe(200);
    const cut = newBrowser();
    cut.cookie = other.cookie.slice(0, -3);
    expect((await cut.of(project, 'GET', '/v1/charts')).status).toBe(401);
    await client.call('DELETE', `/v1/projects/${project}/api_keys/${key_id}`, { key: key() });
    const ended = async () => (await other.of(project, 'GET', '/v1/charts')).status === 401;
    // Processes keep keys for up to 30 seconds.
    await waitFor('the key is refused', ended, { withinMs: 45_000 });
    const session = await other.send('GET', '/console/session');
    expect([session.status, session.headers.get('cache-control')]).toEqual([401, 'no-store']);
  });

  it('is refused when its key was entered seven days ago, or when another secret sealed it', async () => {
    const stranger = newBrowser();
    const status = async (secret: string, daysAgo: number) => {
      stranger.cookie = sealedCookie(secret, { projectId: project, key: key(), daysAgo });
      return (await stranger.of(project, 'GET', '/v1/charts')).status;
    };
    expect(await status(SESSION_SECRET, 6.99)).toBe(200);
    expect(await status(SESSION_SECRET, 7.01)).toBe(401);
    expect(await status('the secret of another installation', 0)).toBe(401);
  });

  it('does not begin with a key that has expired', async () => {
    const soon = Date.now() + 1_500;
    const { key_value: expiring } = await createKey(['charts:read'], new Date(soon).toISOString());
    // Processes that have seen the key keep it for up to 30 seconds.
    await waitFor('the key has expired', () => Promise.resolve(Date.now() > soon));
    const refused = await newBrowser().signIn({ api_key: expiring });
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
  });

  it('serves no file from outside of the console, and leads to no other site', async () => {
    const page = await client.call('GET', '/console/', { key: '', headers: { accept: 'text/html' } });
    const outside = ['../../package.json', '../index.js', '..\\..\\', '\0'].map(encodeURIComponent);
    for (const path of [...outside, '%']) {
      const get = (accept: string) =>
        client.call('GET', `/console/${path}`, { key: '', headers: { accept } });
      expect({ path, status: (await get('*/*')).status }).toEqual({ path, status: 404 });
      expect({ path, text: (await get('text/html')).text }).toEqual({ path, text: page.text });
    }
    const login = await client.call('GET', '/console/sign-in?next=//evil.example/', {
      ...{ key: '', headers: { accept: 'text/html' } },
    });
    expect([login.status, login.headers.get('location'), login.text]).toEqual([200, null, page.text]);
  });

  it('begins with a link once', async () => {
    const made = await client.call('POST', '/console/code', { key: key(), body: {} });
    const { code } = made.json<{ code: string }>();
    const follow = () => newBrowser().signIn({ code });
    expect([(await follow()).status, (await follow()).status]).toEqual([200, 401]);
  });

  it('adds a project only by a key of it, and ends by signing out', async () => {
    expect((await browser.of('another-project', 'GET', '/v1/charts')).status).toBe(401);
    const leaving = newBrowser();
    leaving.cookie = browser.cookie;
    const left = await leaving.send('DELETE', '/console/session');
    expect([left.status, left.headers.getSetCookie()[0]]).toEqual([
      200,
      expect.stringMatching(/^__Host-assay=; Max-Age=0;/),
    ]);
    expect(left.headers.get('cache-control')).toBe('no-store');
    expect((await leaving.send('GET', '/console/session')).status).toBe(401);
  });

  it('cannot be guessed: ten attempts a minute are looked at', async () => {
    const statuses: number[] = [];
    // A minute may end in between.
    while (statuses.at(-1) !== 429 && statuses.length <= 20)
      statuses.push((await newBrowser().signIn({ code: `guess-${statuses.length}` })).status);
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses)).toEqual(new Set([401, 429].slice(statuses.length > 1 ? 0 : 1)));
  });
}
