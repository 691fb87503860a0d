import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { openBrowser, openPage, type ConsolePage, type Theme } from '../harness/console/browser.js';
import { seedTraces, startWithConsole } from '../harness/console/seeded-product.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

interface MadeKey {
  readonly key_value: string;
  readonly key_id: string;
}

/** How a key ends: what it is made with, and what resolves once it has ended. */
interface EndOfKey {
  readonly fields: () => object;
  readonly end: (key: MadeKey) => Promise<void>;
}

/** Long enough to sign in on a busy machine. */
const EXPIRES_MS = 30_000;

describe.each<Theme>(['light', 'dark'])('signing in with a key, in %s colours', (theme) => {
  let stack: Stack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    await seedTraces(stack, 20);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${stack.baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Body;
  }
  /** An address may sign in ten times a minute, which is what the tests do together: each signs in only for what it is about. */
  const projectId = async () => (await ask<{ id: string }[]>('GET', '/v1/projects'))[0]?.id ?? '';
  const makeKey = async (project: string, body: object) =>
    (await ask<{ data: MadeKey }>('POST', `/v1/projects/${project}/fine_grained_api_keys`, body)).data;

  it('says what is wrong with a key that no project has, and keeps what was typed', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    await page.goto('/console/');
    await page.getByLabel('API key').fill('hh_fgdp_not_a_key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('No project has this key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('hh_fgdp_not_a_key');
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('continues with the address that was asked for', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    await page.goto(`/console/p/${await projectId()}/events?range=30d&f=event_name:is:search_orders`);
    await page.getByLabel('API key').fill(stack.apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await firstRow(page);
    for (const part of ['/events?', 'f=event_name:is:search_orders', 'range=30d'])
      expect(page.url()).toContain(part);
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('says that a key may only send, and asks for another one', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    const path = `/v1/projects/${await projectId()}/ingestion_api_keys`;
    const { data } = await ask<{ data: { key_value: string } }>('POST', path, { name: 'collector' });
    await page.goto('/console/');
    await page.getByLabel('API key').fill(data.key_value);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key may only send events and sessions').waitFor();
    await page.getByLabel('API key').fill(stack.apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await firstRow(page);
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  const ENDS: readonly EndOfKey[] = [
    {
      fields: () => ({ expires_at: new Date(Date.now() + EXPIRES_MS).toISOString() }),
      end: ({ key_value: key }) =>
        expectSoon(async () => {
          const headers = { Authorization: `Bearer ${key}` };
          return (await fetch(`${stack.baseUrl}/v1/projects`, { headers })).status === 401;
        }),
    },
    {
      fields: () => ({}),
      end: async ({ key_id: id }) =>
        void (await ask('DELETE', `/v1/projects/${await projectId()}/api_keys/${id}`)),
    },
  ];
  it('asks again in a dialog when the key is revoked or expires in the middle of work, and keeps what was typed', async () => {
    const working: (() => Promise<void>)[] = [];
    for (const one of ENDS) working.push(await startWork(one));
    // Both are waited for at a time: the server knows a key for up to 30 seconds.
    await Promise.all(working.map((isAskedAgain) => isAskedAgain()));
  });

  /** Types something into a page, and returns what ends the key and signs in again. */
  async function startWork({ fields, end }: EndOfKey): Promise<() => Promise<void>> {
    const opened = await openPage(browser, stack.baseUrl, theme);
    const key = await makeKey(await projectId(), {
      permissions: ['events:read', 'projects:read'],
      ...fields(),
    });
    await signInWithKey(opened.page, key.key_value);
    await firstRow(opened.page);
    await opened.page.getByLabel('Search inputs and outputs').fill('half a sentence');
    return () => end(key).then(() => isAskedAgain(opened));
  }

  async function isAskedAgain({ page, gates, context }: ConsolePage): Promise<void> {
    // Each sort reads again.
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await expectSoon(async () => {
      if (await dialog.isVisible()) return true;
      // The dialog may appear meanwhile, and then takes all clicks.
      const sort = page.locator('.grid-head button').first();
      return sort.click({ timeout: 1_000 }).then(
        () => false,
        () => dialog.isVisible(),
      );
    });
    await dialog.getByLabel('API key').fill(stack.apiKey);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await firstRow(page);
    expect(await page.getByLabel('Search inputs and outputs').inputValue()).toBe('half a sentence');
    expect(gates.faults).toEqual([]);
    await context.close();
  }

  it('is not drawn in a frame of another page', async () => {
    const framing = createServer((_request, response) =>
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<iframe src="${stack.baseUrl}/console/"></iframe>`),
    ).listen(0, '127.0.0.1');
    await once(framing, 'listening');
    const { port } = framing.address() as AddressInfo;
    const { page, gates, context } = await openPage(browser, `http://127.0.0.1:${port}`, theme);
    gates.provoke(/another host|frame-ancestors/);
    await page.goto('/');
    const framed = page.frameLocator('iframe');
    await framed.locator('body').waitFor({ state: 'attached' });
    expect(await framed.getByLabel('API key').count()).toBe(0);
    expect(page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    await context.close();
    framing.close();
  });

  it('changes nothing for pages of other origins', async () => {
    const other = createServer((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end('<p>another page'),
    ).listen(0);
    await once(other, 'listening');
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    gates.provoke(/another host/);
    await signInWithKey(page, stack.apiKey);
    const target = `${stack.baseUrl}/v1/datasets`;
    const statusOf = async (send: Promise<unknown>) =>
      (await Promise.all([page.waitForResponse((response) => response.url() === target), send]))[0].status();

    for (const host of ['127.0.0.1', 'localhost']) {
      const name = `of ${host}, ${theme}`;
      const origin = `http://${host}:${(other.address() as AddressInfo).port}/`;
      await page.goto(origin);
      const posted = page.evaluate(
        ([url, body]) => fetch(url!, { method: 'POST', mode: 'no-cors', credentials: 'include', body }),
        [target, JSON.stringify({ name })],
      );
      expect([401, 403, 415]).toContain(await statusOf(posted.catch(() => undefined)));
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
        await page.setContent(
          `<form method="post" action="${target}" enctype="${type}"><input name="name" value="${name}"><button>Send`,
        );
        const submitted = page.getByRole('button').click();
        expect([401, 403, 415]).toContain(await statusOf(submitted));
        await page.goto(origin);
      }
      await page.goto('/console/');
      await firstRow(page);
      expect(JSON.stringify(await ask('GET', '/v1/datasets'))).not.toContain(name);
    }
    expect(gates.faults).toEqual([]);
    await context.close();
    other.close();
  });

  it('names the permission that a restricted key lacks, and offers nothing that it may not do', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    const project = await projectId();
    const { key_value: key } = await makeKey(project, { permissions: ['events:read', 'projects:read'] });
    await signInWithKey(page, key);
    await firstRow(page);
    await page.goto(`/console/p/${project}/runs`);
    await page.getByText('runs:read').waitFor();
    await page.goto(`/console/p/${project}/start`);
    await page.getByText('keys:write').waitFor();
    expect(await page.getByRole('button', { name: 'Make a key for sending' }).count()).toBe(0);
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});

/** Repeats a step until it returns true. Each step is one that a person could take. */
async function expectSoon(step: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await step()))
    if (Date.now() > deadline) throw new Error('the condition did not hold within a minute');
}
