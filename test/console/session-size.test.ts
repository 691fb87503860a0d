import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, type ConsolePage, type Theme } from '../harness/console/browser.js';
import { startCuttingProxy } from '../harness/console/cutting-proxy.js';
import {
  agentSession,
  largeSession,
  longSession,
  sendEvents,
  SESSIONS,
} from '../harness/console/seeded-sessions.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const MAX_NODES = 1_500;
const MAX_TREE_BYTES = 130_000;
const MAX_HEAP_GROWTH = 30_000_000;
const LONG = 5_000;
const HUGE = 20_001;

describe.each<Theme>(['light', 'dark'])('sessions and payloads of any size, in %s colours', (theme) => {
  let stack: Stack;
  let browser: Browser;
  let shared: ConsolePage;
  let project: string;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    await sendEvents(stack, [...agentSession(), ...longSession(SESSIONS.long, LONG)]);
    await sendEvents(stack, largeSession());
    shared = await openPage(browser, stack.baseUrl, theme);
    project = await signInWithKey(shared.page, stack.apiKey);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const pathOf = (session: string, query = '') => `/console/p/${project}/sessions/${session}${query}`;
  const nodes = (page: Page) => page.evaluate<number>('document.querySelectorAll("*").length');
  const current = (page: Page) => page.locator('[role="row"][aria-selected="true"] .tree-label');

  it(`opens ${LONG} events with at most ${MAX_NODES} elements and ${MAX_TREE_BYTES} bytes`, async () => {
    const { page } = shared;
    await page.goto(pathOf(SESSIONS.long, '?view=tree'));
    await page.getByText(`of ${(LONG + 1).toLocaleString('en')}`).waitFor();
    let most = await nodes(page);
    const position = page.locator('.session-shown');
    for (const share of [0.25, 0.5, 0.75, 1]) {
      const before = (await position.textContent()) ?? '';
      await page.evaluate(
        `{ const grid = document.querySelector('[role="treegrid"]'); grid.scrollTo(0, grid.scrollHeight * ${share}); }`,
      );
      await position.filter({ hasNotText: before }).waitFor();
      most = Math.max(most, await nodes(page));
    }
    expect(await position.textContent()).toContain(`–${(LONG + 1).toLocaleString('en')} of`);
    expect(most).toBeLessThanOrEqual(MAX_NODES);
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/tree')).encodedBodySize`,
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(MAX_TREE_BYTES);
    await page.keyboard.press('e');
    await current(page).filter({ hasText: 'step 799' }).waitFor();
    await page.keyboard.press('E');
    await current(page).filter({ hasText: 'step 4799' }).waitFor();
  });

  it('opens 10 MB with one request, finds a text in it and copies its path', async () => {
    const { page, gates } = shared;
    const client = await page.context().newCDPSession(page);
    const heap = async () => {
      await client.send('HeapProfiler.collectGarbage');
      return (await client.send('Runtime.getHeapUsage')).usedSize;
    };
    await page.goto(pathOf(SESSIONS.agent, '?view=raw'));
    await page.getByRole('group', { name: 'Rows of inputs' }).waitFor();
    const before = await heap();
    const requested = gates.requests.length;
    await page.goto(pathOf(SESSIONS.large, '?view=raw&part=output'));
    await page.getByText('[64,000]').waitFor();
    await page.getByRole('button', { name: 'rows' }).click();
    await page.getByText('{3}').first().waitFor();
    await page.getByRole('searchbox', { name: 'Find in outputs' }).fill('found at last');
    const match = page.locator('.json-current');
    await match.getByText('Found At Last').waitFor();
    await match.getByRole('button', { name: 'path' }).click();
    await match.getByText('copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('outputs.needle');
    const ofPayload = `/v1/events/${SESSIONS.large}/payload/outputs`;
    expect(gates.requests.slice(requested).filter((one) => one.includes(ofPayload))).toHaveLength(1);
    expect((await heap()) - before).toBeLessThan(MAX_HEAP_GROWTH);
    expect(await nodes(page)).toBeLessThanOrEqual(MAX_NODES);
  });

  it('continues a transfer that broke off from the byte that it had reached', async () => {
    const proxy = await startCuttingProxy(stack.baseUrl, { path: '/payload/outputs', afterBytes: 100_000 });
    const { page, context } = await openPage(browser, proxy.baseUrl, theme);
    await signInWithKey(page, stack.apiKey);
    await page.goto(pathOf(SESSIONS.large, '?view=raw&part=output'));
    await page.getByText('[64,000]').waitFor();
    await page.getByText('Found At Last').waitFor();
    expect(proxy.ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    await context.close();
    await proxy.close();
  });

  it('says how much of a session of more than 20,000 events was read, and reads the rest', async () => {
    await sendEvents(stack, longSession(SESSIONS.huge, HUGE));
    const { page } = shared;
    await page.goto(pathOf(SESSIONS.huge, '?view=tree'));
    await page.getByText('20,000 of 20,001 events were read').waitFor();
    await page.getByRole('button', { name: 'read more' }).click();
    await page.getByText('of 20,002').waitFor();
  });

  it('breaks no policy, logs no error and asks no other host in all of this', () => {
    expect(shared.gates.faults).toEqual([]);
  });
});
