import type { Browser, Page } from 'playwright-core';
import { violationsOfThemes } from '../harness/console/axe.js';
import { openBrowser, openPage, picture, type Theme } from '../harness/console/browser.js';
import { seedTraces, startWithConsole } from '../harness/console/seeded-product.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const THEMES: readonly Theme[] = ['light', 'dark'];

describe('every screen for everyone', () => {
  let stack: Stack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    await seedTraces(stack, 40);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  it('has no violation of WCAG 2.2 A and AA in light and in dark colours', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const found: Record<string, string[]> = {};
    const check = async (name: string) => {
      found[name] = await violationsOfThemes(page, (theme) => picture(page, `${name}-${theme}`));
    };
    await page.goto('/console/');
    await page.getByLabel('API key').waitFor();
    await check('sign-in');
    const project = await signInWithKey(page, stack.apiKey);
    await firstRow(page);
    await check('sessions');
    for (const screen of screensOf(project)) {
      await page.goto(screen.path);
      await screen.ready(page);
      await check(screen.name);
    }
    await page.goto(`/console/p/${project}/sessions`);
    await firstRow(page);
    for (const { name, open } of OVERLAYS) {
      await open(page);
      await check(name);
      await page.keyboard.press('Escape');
      await page.locator('[role="dialog"], [role="menu"]').waitFor({ state: 'detached' });
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('has none while rows are read, when reading fails, and when the server is gone', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    let respond = (): void => undefined;
    const held = new Promise<void>((resolve) => (respond = resolve));
    await page.route('**/v1/events/page', async (route) => {
      await held;
      await route.fulfill({
        ...{ status: 503, headers: { 'Retry-After': '60' }, contentType: 'application/json' },
        body: JSON.stringify({
          statusCode: 503,
          message: 'the store is busy',
          errorCode: 'OVERLOADED',
          requestId: 'r-1',
        }),
      });
    });
    await page.goto(`/console/p/${project}/events`);
    await page.getByText('Reading events').waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    respond();
    await page.getByRole('button', { name: /^Retry now \(in \d+ s\)$/ }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('The store is busy.');
    expect(await violationsOfThemes(page, (theme) => picture(page, `error-${theme}`))).toEqual([]);
    gates.provoke(/net::ERR_FAILED/);
    await page.route('**/v1/**', (route) => route.abort());
    await page.getByRole('button', { name: /^Retry now/ }).click();
    await page.getByText('The server cannot be reached').first().waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    await context.close();
  });

  it('has none in the routes of the API in any state', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    let respond = (): void => undefined;
    const held = new Promise<void>((resolve) => (respond = resolve));
    await page.route('**/openapi.json', async (route) => {
      await held;
      await route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"not yet"}' });
    });
    await page.goto(`/console/p/${project}/api`);
    const found: Record<string, string[]> = {};
    const check = async (state: string, text: RegExp) => {
      await page.getByText(text).first().waitFor();
      found[state] = await violationsOfThemes(page);
    };
    await check('loading', /^Reading routes/);
    respond();
    await check('error', /^The routes could not be read/);
    await page.unroute('**/openapi.json');
    await page.getByRole('button', { name: 'Retry' }).click();
    await check('all', /^\d+ \/ \d+ routes$/);
    await page.getByRole('searchbox', { name: 'Find a route' }).fill('no route has this');
    await check('none', /^No route has these words/);
    expect(found).toEqual({ loading: [], error: [], all: [], none: [] });
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it.each(THEMES)('lists and runs every command from help and palette, in %s colours', async (theme) => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    await signInWithKey(page, stack.apiKey);
    await firstRow(page);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('option').first().waitFor();
    const names = await palette.getByRole('option').locator('span:first-child').allTextContents();
    expect(names).toEqual(
      expect.arrayContaining(['Errors only', 'Go to runs', 'Switch between local time and UTC']),
    );
    await page.keyboard.type('go ru');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/runs$/);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(/\/sessions$/);
    await firstRow(page);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    const lines = await help.locator('dt').allTextContents();
    const withKeys = names.filter((name) => lines.includes(name));
    expect(lines.filter((line) => !names.includes(line))).toEqual(['Open the command palette']);
    expect(withKeys.length).toBeGreaterThan(10);
    await page.keyboard.press('Escape');
    await page.keyboard.press('u');
    await page.getByRole('button', { name: 'Time zone: UTC. Switch' }).waitFor();
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});

const screensOf = (project: string) => [
  {
    ...{ name: 'start', path: `/console/p/${project}/start` },
    ready: (page: Page) => page.getByText('Traces arrive').waitFor(),
  },
  { name: 'events', path: `/console/p/${project}/events`, ready: firstRow },
  {
    ...{
      name: 'events-filtered',
      path: `/console/p/${project}/events?f=event_name:is:search_orders&f=nonsense&cols=metadata.env`,
    },
    ready: firstRow,
  },
  {
    ...{ name: 'events-empty', path: `/console/p/${project}/events?f=event_name:is:nothing` },
    ready: (page: Page) => page.getByText('No events match').waitFor(),
  },
  {
    ...{ name: 'runs', path: `/console/p/${project}/runs` },
    ready: (page: Page) => page.getByText('No runs yet').waitFor(),
  },
  {
    ...{ name: 'api', path: '/console/api' },
    ready: (page: Page) => page.getByText(/^\d+ \/ \d+ routes$/).waitFor(),
  },
  {
    ...{ name: 'not-found', path: '/console/nowhere' },
    ready: (page: Page) => page.getByText('This address is not one of the console').waitFor(),
  },
];

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name }).waitFor();

const OVERLAYS: readonly { readonly name: string; readonly open: (page: Page) => Promise<void> }[] = [
  { name: 'help', open: (page) => page.keyboard.press('?').then(() => dialog(page, 'Keys')) },
  { name: 'palette', open: (page) => page.keyboard.press('Control+k').then(() => dialog(page, 'Commands')) },
  { name: 'filter', open: (page) => page.keyboard.press('f').then(() => dialog(page, 'Add a filter')) },
  { name: 'columns', open: (page) => page.keyboard.press('c').then(() => dialog(page, 'Columns')) },
  { name: 'range', open: (page) => page.keyboard.press('t').then(() => page.getByRole('menu').waitFor()) },
];
