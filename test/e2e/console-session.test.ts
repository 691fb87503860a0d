import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { callGrpc } from '../harness/otlp/call-grpc.js';
import { runCommand } from '../harness/processes/run-command.js';
import { ConsoleBrowser } from '../harness/stack/console-browser.js';
import { consoleFolder } from '../harness/stack/console-folder.js';
import { freePort } from '../harness/stack/free-port.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { SESSION_SECRET, usesConsoleSessions } from './console-session-journey.js';

/** Tests sign in more often than a person may from one address, so that each states one of its own. */
const FORWARDED = { TRUSTED_PROXIES: '127.0.0.0/8' };

describe('the console of the single process', () => {
  const settings = { CONSOLE_DIR: consoleFolder(), CONSOLE_SESSION_SECRET: SESSION_SECRET };
  const on = onStack(() => startStandalone(settings));
  usesConsoleSessions(on, 'standalone', () => on.stack.apiKey);
});

describe('links that sign in to the single process', () => {
  let grpcPort = 0;
  const on = onStack(async () => {
    grpcPort = await freePort();
    return startStandalone({
      CONSOLE_DIR: consoleFolder(),
      ASSAY_OTLP_GRPC_PORT: String(grpcPort),
      ...FORWARDED,
    });
  });
  const printedLinks = () =>
    [
      ...readFileSync(join(on.stack.dir, 'standalone.log'), 'utf8').matchAll(
        /http\S+\/console\/#code=(\S+)/g,
      ),
    ].map(([link, code = '']) => ({ link, code }));
  const browserAt = (address: string) => {
    const browser = new ConsoleBrowser(on.client, on.stack);
    const signIn = (body: object) =>
      browser.send('POST', '/console/session', body, { ...browser.ownHeaders, 'x-forwarded-for': address });
    return { browser, signIn };
  };
  const keysOf = async () => {
    const { stdout } = await runCommand(['keys', 'list', '--json'], environment());
    return JSON.parse(stdout) as { name: string; expires_at: string | null; permissions: string[] }[];
  };
  const environment = () => ({ ASSAY_URL: on.stack.baseUrl, ASSAY_ADMIN_TOKEN: on.stack.adminToken });

  it('are printed at the start, and work once, with a key that is made then and ends after seven days', async () => {
    const [first] = await waitFor('the link is printed', async () => {
      const links = printedLinks();
      return Promise.resolve(links.length > 0 ? links : undefined);
    });
    expect(first?.link).toBe(`${on.stack.baseUrl}/console/#code=${first?.code}`);
    expect((await keysOf()).map(({ name }) => name)).not.toContain('console login');
    const { browser, signIn } = browserAt('198.51.100.1');
    expect((await signIn({ code: first?.code })).status).toBe(200);
    const key = (await keysOf()).find(({ name }) => name === 'console login');
    const days = (Date.parse(key?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect([days > 6.9, days <= 7]).toEqual([true, true]);
    const [project] = (await browser.send('GET', '/v1/projects')).json<{ id: string }[]>();
    expect((await browser.of(project!.id, 'POST', '/v1/events/search', { filters: [] })).status).toBe(200);
    const again = await signIn({ code: first?.code });
    const unknown = await signIn({ api_key: 'not-a-key-of-this-project' });
    expect([again.status, again.json<{ message: string }>().message]).toEqual([
      401,
      unknown.json<{ message: string }>().message,
    ]);
    expect(JSON.stringify([...again.headers])).not.toContain(first?.code);
  });

  it('are made by the command line, for reading alone if that is wanted', async () => {
    const { code, stdout } = await runCommand(['login', '--read-only', '--json'], environment());
    expect(code).toBe(0);
    const { link } = JSON.parse(stdout) as { link: string };
    const { browser, signIn } = browserAt('198.51.100.2');
    const signedIn = await signIn({ code: link.split('#code=')[1] });
    const { project, projects } = signedIn.json<{ project: string; projects: { permissions: string[] }[] }>();
    expect(projects[0]?.permissions.every((permission) => permission.endsWith(':read'))).toBe(true);
    expect((await browser.of(project, 'POST', '/v1/charts', { name: 'c', metric: 'cost' })).status).toBe(403);
    expect((await browser.of(project, 'GET', '/v1/charts')).status).toBe(200);
    const text = await runCommand(['login'], environment());
    expect(text.stdout).toContain(`${on.stack.baseUrl}/console/#code=`);
  });

  it('cannot be guessed: ten attempts a minute from an address', async () => {
    const { signIn } = browserAt('198.51.100.3');
    const statuses: number[] = [];
    for (let guess = 0; guess < 20; guess++) statuses.push((await signIn({ code: `guess-${guess}` })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(10).fill(429)]);
  });

  it('never work by gRPC, where cookies are ignored', async () => {
    const { browser, signIn } = browserAt('198.51.100.4');
    expect((await signIn({ api_key: on.stack.apiKey })).status).toBe(200);
    const call = await callGrpc(`127.0.0.1:${grpcPort}`, Buffer.alloc(0), {
      key: '',
      headers: { cookie: browser.cookie },
    });
    expect(call.error?.code).toBe(16);
  });

  it('outlive no restart, while sessions do: the secret is kept in the data folder', async () => {
    const { browser, signIn } = browserAt('198.51.100.5');
    expect((await signIn({ api_key: on.stack.apiKey })).status).toBe(200);
    const made = await on.client.post('/console/code', {});
    const { code } = made.json<{ code: string }>();
    await on.stack.terminate('standalone');
    await on.stack.start('standalone');
    expect((await signIn({ code })).status).toBe(401);
    expect((await browser.send('GET', '/console/session')).status).toBe(200);
  });
});
