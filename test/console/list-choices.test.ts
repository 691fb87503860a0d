import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, picture, type ConsolePage, type Theme } from '../harness/console/browser.js';
import { startCuttingProxy } from '../harness/console/cutting-proxy.js';
import { seedTraces, startWithConsole } from '../harness/console/seeded-product.js';
import { anEventOf, sendEvents } from '../harness/console/seeded-sessions.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const SESSIONS = 40;
const NAMELESS = '77777777-7777-4777-8777-777777777777';

/** Runs what was copied, as a person would, and returns the body of the response. */
async function runRequest({ baseUrl, apiKey }: Stack, language: string, text: string): Promise<string> {
  const env = { PATH: process.env.PATH, ASSAY_API_KEY: apiKey };
  if (language === 'curl') return execFileSync('bash', ['-c', text], { encoding: 'utf8', env });
  if (language === 'Python') return execFileSync('python3', ['-c', text], { encoding: 'utf8', env });
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return (await fetch(`${baseUrl}/v1/events/page`, { method: 'POST', headers, body: text })).text();
}

describe.each<Theme>(['light', 'dark'])('what a person chooses in a list, in %s colours', (theme) => {
  let stack: Stack;
  let browser: Browser;
  let shared: ConsolePage;
  let project: string;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    await seedTraces(stack, SESSIONS);
    await sendEvents(stack, [
      anEventOf(NAMELESS, 0, 20, { event_name: 'root of no name', inputs: { question: 'Who am I?' } }),
    ]);
    shared = await openPage(browser, stack.baseUrl, theme);
    project = await signInWithKey(shared.page, stack.apiKey);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const open = async (path: string, page = shared.page) => {
    await page.goto(`/console/p/${project}${path}`);
    await firstRow(page);
  };
  const chip = (text: string, page = shared.page) => page.locator('.chip', { hasText: text }).waitFor();

  it.each(['curl', 'Python', 'JSON'])(
    'is copied as a request that finds the same rows, as %s',
    async (language) => {
      const { page } = shared;
      await open('/events?f=event_name:is:search_orders');
      await page.getByRole('button', { name: 'Copy the request' }).click();
      await page.getByRole('menuitem', { name: `Copy as ${language}` }).click();
      await page.getByText('Request copied').waitFor();
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(text).not.toContain(stack.apiKey);
      const found = JSON.parse(await runRequest(stack, language, text)) as {
        events: { event_name: string }[];
      };
      expect(found.events.map(({ event_name: name }) => name)).toEqual(
        Array.from({ length: SESSIONS }, () => 'search_orders'),
      );
    },
  );

  it('is a value of a row: clicked, clicked with Alt, or by key', async () => {
    const { page } = shared;
    await open('/events?cols=metadata.env&f=metadata.env:exists');
    await page.locator('.cell-value', { hasText: 'staging' }).first().click();
    await chip('metadata.env is staging');
    await page.waitForURL(/f=metadata.env:is:staging/);
    await page.goBack();
    await page
      .locator('.cell-value', { hasText: 'staging' })
      .first()
      .click({ modifiers: ['Alt'] });
    await chip('metadata.env is not staging');
    await page.locator('.grid-scroller:not([data-stale])').waitFor();
    expect(await page.locator('.cell-value', { hasText: 'staging' }).count()).toBe(0);
    await open('/events');
    await page.locator('.row-name', { hasText: 'search_orders' }).first().waitFor();
    await page.locator('.grid-row', { hasText: 'search_orders' }).first().locator('a').focus();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'event_name is search_orders' }).waitFor();
    await page.keyboard.press('Enter');
    await chip('event_name is search_orders');
    await page.locator('.grid-foot', { hasText: `/ ${SESSIONS} events` }).waitFor();
  });

  it('is a view with a name, which another project does not have, and the last filters', async () => {
    const { page } = shared;
    await open('/events?f=event_name:is:search_orders&range=30d&sort=-duration');
    await page.keyboard.press('v');
    const views = page.getByRole('dialog', { name: 'Views' });
    await views.getByLabel('Name of this view').fill('Slow tools');
    await page.keyboard.press('Enter');
    await views.getByRole('button', { name: 'Slow tools', exact: true }).waitFor();
    await picture(page, `views-${theme}`);
    await open('/events');
    await page.keyboard.press('v');
    await views.getByRole('button', { name: 'event_name is search_orders' }).waitFor();
    await views.getByRole('button', { name: 'Slow tools', exact: true }).click();
    await page.waitForURL(/f=event_name:is:search_orders.*range=30d.*sort=-duration/);
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('slow tools');
    await page.keyboard.press('Enter');
    await page.waitForURL(/range=30d/);
    await page.keyboard.press('v');
    await views.getByRole('button', { name: 'Remove view Slow tools' }).click();
    await views.getByRole('button', { name: 'Slow tools', exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  it('is a span of time, dragged over the histogram', async () => {
    const { page } = shared;
    await open('/events?range=7d');
    const box = (await page.locator('.histogram svg').boundingBox())!;
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.5, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    const { searchParams } = new URL(page.url());
    const hours = (Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!)) / 3_600_000;
    expect(Math.round(hours)).toBe(Math.round(0.3 * 7 * 24));
    const label = await page.getByRole('button', { name: /^Time range:/ }).textContent();
    expect(label).toMatch(/\d\d:\d\d:\d\d – /);
    await page.goBack();
    await page.waitForURL(/range=7d/);
  });

  it('is to end an export before it is whole, and nothing is saved', async () => {
    const proxy = await startCuttingProxy(stack.baseUrl, {
      ...{ path: '/v1/events/export', afterBytes: 100, stalls: true },
    });
    const { page, context } = await openPage(browser, proxy.baseUrl, theme);
    const downloads: unknown[] = [];
    page.on('download', (download) => downloads.push(download));
    await signInWithKey(page, stack.apiKey);
    await firstRow(page);
    await page.getByRole('checkbox').nth(1).click();
    await page.getByRole('button', { name: 'Export as NDJSON' }).click();
    await page.getByText(/^Exporting … [1-9]/).waitFor();
    await page.getByRole('button', { name: 'Cancel export' }).click();
    await page.getByRole('button', { name: 'Export as NDJSON' }).waitFor();
    // The next response is whole.
    const [whole] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as NDJSON' }).click(),
    ]);
    expect([whole.suggestedFilename(), downloads.length]).toEqual(['sessions.ndjson', 1]);
    await context.close();
    await proxy.close();
  });

  it('is shown with the name of its root event when a session has none', async () => {
    const { page } = shared;
    await open(`/sessions?f=session_id:is:${NAMELESS}`);
    await page.locator('.row-name', { hasText: 'root of no name' }).click();
    await page.getByRole('heading', { name: 'root of no name' }).waitFor();
  });

  it('is refused with the advice of the server when it is no valid query', async () => {
    const { page } = shared;
    await page.goto(`/console/p/${project}/events?f=duration:greater-than:soon:number`);
    const alert = page.getByRole('alert');
    await alert.getByText('The events could not be read').waitFor();
    expect(await alert.textContent()).toMatch(/filters.*number/i);
    await page.getByRole('button', { name: /^Remove filter duration/ }).click();
    await firstRow(page);
    await alert.waitFor({ state: 'detached' });
  });

  it('is refused with what would help when it is beyond the limits of queries', async () => {
    const limited = await startWithConsole({ QUERY_MAX_ROWS_TO_READ: '100' });
    try {
      await seedTraces(limited, SESSIONS);
      const { page, context } = await openPage(browser, limited.baseUrl, theme);
      await signInWithKey(page, limited.apiKey);
      const alert = page.getByRole('alert').filter({ hasText: 'The sessions could not be read' });
      await alert.getByText(/narrow its dates, filters or limit/).waitFor();
      await context.close();
    } finally {
      await limited.stop();
    }
  });

  it('is asked for again after a 503, counted down with Retry-After and by hand without', async () => {
    const { page, context } = await openPage(browser, stack.baseUrl, theme);
    await signInWithKey(page, stack.apiKey);
    // The list of sessions has its rows: it takes none of the responses below.
    await firstRow(page);
    const headers: Record<string, string>[] = [{ 'Retry-After': '2' }, {}];
    await page.route('**/v1/events/page', async (route) => {
      const given = headers.shift();
      if (given === undefined) return route.continue();
      return route.fulfill({ ...BUSY, headers: given });
    });
    await page.goto(`/console/p/${project}/events`);
    await page.getByRole('button', { name: /^Retry now \(in \d s\)$/ }).waitFor();
    // The countdown asks again, and the next response says nothing about when.
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await firstRow(page);
    await context.close();
  });

  it('is of one project in each tab', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${'0'.repeat(24)}/sessions`);
    await page.getByText('This link needs a key of its own project.').waitFor();
    await page.getByLabel('API key').fill(stack.apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key belongs to another project than the link.').waitFor();
    await page.goto(`/console/p/${project}/sessions`);
    await firstRow(page);
    const other = await makeProject(stack, `second shop ${theme}`);
    await runFromPalette(page, 'Sign in to another project');
    await page.getByLabel('API key').fill(other);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('No sessions in').waitFor();
    const second = await context.newPage();
    await second.goto(`/console/p/${project}/events?f=event_name:is:search_orders`);
    await firstRow(second);
    await page.reload();
    await page.getByText('No sessions in').waitFor();
    await second.keyboard.press('F');
    await second.locator('.grid-foot', { hasText: `/ ${SESSIONS * 3 + 1} events` }).waitFor();
    await page.getByRole('button', { name: `Project second shop ${theme}` }).click();
    await page.getByRole('menuitem', { name: 'default' }).click();
    await page.waitForURL(new RegExp(project));
    await firstRow(page);
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('is gone after signing out: rows, payloads, last filters, and what Back would show', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${project}/events?f=event_name:is:search_orders`);
    await page.locator('.row-name', { hasText: 'search_orders' }).first().click();
    await page.getByRole('article').first().waitFor();
    if (page.workers().length === 0) await page.waitForEvent('worker');
    const [worker] = page.workers();
    const ended = worker?.waitForEvent('close');
    await runFromPalette(page, 'Sign out');
    await page.getByLabel('API key').waitFor();
    await ended;
    expect([page.workers().length, await context.cookies()]).toEqual([0, []]);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('search_orders');
    const asked = gates.requests.length;
    await page.goBack();
    await page.getByLabel('API key').waitFor();
    await page.waitForURL(/sign-in/);
    expect(await page.locator('.grid-row, article').count()).toBe(0);
    expect(gates.requests.slice(asked).filter((one) => one.includes('/v1/'))).toEqual([]);
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('breaks no policy, logs no error and asks no other host in all of this', () => {
    expect(shared.gates.faults).toEqual([]);
  });
});

const BUSY = {
  ...{ status: 503, contentType: 'application/json' },
  body: JSON.stringify({ statusCode: 503, message: 'the store is busy', errorCode: 'OVERLOADED' }),
};

async function runFromPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await page.getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
}

async function makeProject({ baseUrl, adminToken }: Stack, name: string): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/projects`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`the project was refused: ${response.status}`);
  return ((await response.json()) as { api_key: string }).api_key;
}
