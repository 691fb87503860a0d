import type { Page } from 'playwright-core';
import { openPage, picture, type ConsolePage, type Theme } from '../harness/console/browser.js';
import { watchLiveTab } from '../harness/console/live-tab.js';
import { newProject, productOfFile } from '../harness/console/product-of-file.js';
import { seedTraces, untilFound } from '../harness/console/seeded-product.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const SESSIONS = 300;
const MAX_NODES = 1_500;

describe('the lists', () => {
  const started = productOfFile();

  describe.each<Theme>(['light', 'dark'])('in %s colours', (theme) => {
    let stack: Stack;
    let shared: ConsolePage;
    let project: string;

    beforeAll(async () => {
      stack = await newProject(started.product, theme);
      await seedTraces(stack, SESSIONS);
      // A list that was read while they are stored says how many there were.
      await untilFound(stack);
      shared = await openPage(started.browser, stack.baseUrl, theme);
      project = await signInWithKey(shared.page, stack.apiKey);
    });
    afterAll(async () => {
      await shared?.context.close();
    });

    const rowNames = (page = shared.page) => page.locator('.grid-body .row-name').allTextContents();
    const foot = (page = shared.page) => page.locator('.grid-foot').textContent();
    const footWith = (text: string, page: Page) => page.locator('.grid-foot', { hasText: text }).waitFor();

    it('print how many rows were read, and of how many', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/sessions`);
      await firstRow(page);
      expect(await foot()).toBe(`100 / ${SESSIONS} sessions`);
      await picture(page, `sessions-${theme}`);
    });

    it(`keep at most ${MAX_NODES} elements in the document while all rows are scrolled through`, async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/events`);
      await firstRow(page);
      let most = 0;
      const total = SESSIONS * 3;
      for (;;) {
        const text = (await foot()) ?? '';
        most = Math.max(most, await page.evaluate<number>('document.querySelectorAll("*").length'));
        if (text.startsWith(`${total} /`)) break;
        await page.evaluate('document.querySelector(".grid-scroller").scrollTo(0, 1e9)');
        await page.locator('.grid-foot').filter({ hasNotText: text }).waitFor();
      }
      expect(most).toBeLessThanOrEqual(MAX_NODES);
      expect(most).toBeGreaterThan(100);
    });

    it('move the focus with the cursor before the next key, so that Enter opens the row', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/events`);
      await firstRow(page);
      const focused = await page.evaluate<string | undefined>(`(async () => {
      dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
      // No frame is drawn meanwhile.
      for (let turn = 0; turn < 10; turn++) await undefined;
      return document.activeElement.closest('[data-index]')?.dataset.index;
    })()`);
      expect(focused).toBe('0');
    });

    it('have a link that shows the same rows in another profile, and Back undoes each choice', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/events`);
      await firstRow(page);
      const before = page.url();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('combobox', { name: 'Field' }).fill('event_name');
      await page.locator('.value-list button', { hasText: 'search_orders' }).click();
      await page.locator('.chip', { hasText: 'event_name is search_orders' }).waitFor();
      const filtered = page.url();
      expect(filtered).toContain('f=event_name:is:search_orders');
      await footWith(`/ ${SESSIONS} events`, page);
      await page.getByRole('button', { name: /^Time range/ }).click();
      await page.getByRole('menuitem', { name: 'The last 30 days' }).click();
      await page.waitForURL(/range=30d/);
      await page.getByRole('button', { name: /^Duration/ }).click();
      await page.waitForURL(/sort=-duration/);
      await page.locator('.grid-scroller:not([data-stale])').waitFor();
      const link = page.url();

      const other = await openPage(started.browser, stack.baseUrl, theme);
      await signInWithKey(other.page, stack.apiKey);
      await other.page.goto(link);
      await firstRow(other.page);
      await footWith(`/ ${SESSIONS} events`, other.page);
      expect(await rowNames(other.page)).toEqual(await rowNames());
      expect(await foot(other.page)).toBe(await foot());
      expect(other.gates.faults).toEqual([]);
      await other.context.close();

      await page.goBack();
      await page.waitForURL((url) => !url.search.includes('sort='));
      await page.goBack();
      await page.waitForURL(filtered);
      await page.goBack();
      await page.waitForURL(before);
      expect(await page.locator('.chip').count()).toBe(0);
    });

    it('show a text that is no filter as a broken chip and apply the others', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/events?f=nonsense&f=event_name:is:search_orders`);
      await page.locator('.chip-broken', { hasText: 'nonsense' }).waitFor();
      await footWith(`/ ${SESSIONS} events`, page);
    });

    it('say why there are no rows and what would show some', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/events?f=event_name:is:nothing-has-this-name&range=1h`);
      await page.getByText('No events match this filter in the last hour').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.waitForURL((url) => !url.search.includes('f='));
    });

    it('show errors only by one key', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/sessions`);
      await firstRow(page);
      await page.keyboard.press('e');
      await footWith(`/ 37 sessions`, page);
      expect(await page.locator('.grid-body .row-error').count()).toBeGreaterThan(0);
    });

    it('are moved through, opened and selected by keys', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/sessions`);
      await firstRow(page);
      for (const key of ['j', 'j', 'x', 'j', 'j', 'X']) await page.keyboard.press(key);
      await page.getByText('3 selected').waitFor();
      await page.keyboard.press('k');
      await page.locator('.grid-row[data-index="2"] a:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/sessions\/[0-9a-f-]{36}/);
    });

    it('show new rows while they are followed', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/events?live=1&f=event_name:is:arrives-live`);
      await page.getByText('No events match').waitFor();
      await page.goto(`/console/p/${project}/events?live=1`);
      await firstRow(page);
      const response = await fetch(`${stack.baseUrl}/v1/events`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          event_type: 'tool',
          event_name: 'arrives-live',
          inputs: { question: 'now?' },
        }),
      });
      expect(response.status).toBe(200);
      await page.locator('.row-name', { hasText: 'arrives-live' }).waitFor();
      const { requests, seconds } = await watchLiveTab(page, 5);
      expect(requests / seconds).toBeLessThanOrEqual(2);
    });

    it('export the selected sessions with all their events, one JSON object per line', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/sessions`);
      await firstRow(page);
      await page.getByRole('checkbox').nth(1).click();
      await page.getByRole('checkbox').nth(2).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as NDJSON' }).click(),
      ]);
      const stream = await download.createReadStream();
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      const lines = Buffer.concat(pieces).toString().trim().split('\n');
      const sessions = lines.map((line) => (JSON.parse(line) as { session_id: string }).session_id);
      expect([lines.length, new Set(sessions).size]).toEqual([8, 2]);
    });

    it('delete more than ten sessions only after their number was typed', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/sessions`);
      await firstRow(page);
      const before = Number(/\/ (\d+) sessions/.exec((await foot()) ?? '')?.[1]);
      await page.getByRole('checkbox').nth(0).click();
      await page
        .getByRole('checkbox')
        .nth(11)
        .click({ modifiers: ['Shift'] });
      await page.getByRole('button', { name: 'Delete 12 sessions' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete 12 sessions?' });
      const confirm = dialog.getByRole('button', { name: 'Delete 12 sessions' });
      expect(await confirm.isDisabled()).toBe(true);
      await dialog.getByLabel('Type 12 to confirm').fill('12');
      await confirm.click();
      await dialog.waitFor({ state: 'detached' });
      await footWith(`/ ${before - 12} sessions`, page);
    });

    it('break no policy, log no error and ask no other host in all of this', () => {
      expect(shared.gates.faults).toEqual([]);
    });
  });
});
