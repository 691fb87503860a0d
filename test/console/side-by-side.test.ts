import type { Page } from 'playwright-core';
import { violationsOf } from '../harness/console/axe.js';
import { openPage, picture, type Theme } from '../harness/console/browser.js';
import { EVIL } from '../harness/console/hostile-data.js';
import { newProject, productOfFile } from '../harness/console/product-of-file.js';
import { anEventOf, aSession, eventId, sendEvents } from '../harness/console/seeded-sessions.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const [OLD, NEW, OLD_STEP, NEW_STEP] = [8_001, 8_002, 8_003, 8_004].map(eventId) as [
  string,
  string,
  string,
  string,
];

describe('two sessions or events side by side', () => {
  const started = productOfFile();

  describe.each<Theme>(['light', 'dark'])('in %s colours', (theme) => {
    let stack: Stack;
    let project: string;
    let page: Page;
    let close: () => Promise<void>;
    let faults: () => readonly string[];

    beforeAll(async () => {
      stack = await newProject(started.product, theme);
      await sendEvents(stack, [
        aSession(OLD, 'refund-agent', 900, {
          outputs: { answer: 'It was shipped on 3 May.' },
          metadata: { env: 'prod' },
        }),
        aSession(NEW, EVIL, 1_200, {
          outputs: { answer: `It was cancelled on 3 May. ${EVIL}` },
          metadata: { env: 'staging' },
          start_time: Date.now() - 60_000,
          end_time: Date.now() - 58_800,
        }),
        anEventOf(OLD, 10, 100, { event_id: OLD_STEP, event_type: 'tool', event_name: 'search_orders' }),
        anEventOf(NEW, 10, 100, {
          ...{ event_id: NEW_STEP, event_type: 'tool', event_name: 'cancel_order', error: 'no such order' },
        }),
      ]);
      const opened = await openPage(started.browser, stack.baseUrl, theme);
      page = opened.page;
      close = () => opened.context.close();
      faults = () => opened.gates.faults;
      project = await signInWithKey(page, stack.apiKey);
    });
    afterAll(async () => {
      await close?.();
    });

    const side = (name: string) => page.getByRole('group', { name });
    const address = (a: string, b: string, query = '') => `/console/p/${project}/diff/${a}/${b}${query}`;

    it('are two selected rows of a list, the later one as the new one', async () => {
      await firstRow(page);
      const boxes = page.getByRole('checkbox', { name: /^Select/ });
      await boxes.nth(0).check();
      expect(await page.getByRole('link', { name: 'Compare side by side' }).count()).toBe(0);
      await boxes.nth(1).check();
      await page.getByRole('link', { name: 'Compare side by side' }).click();
      await page.waitForURL(`**${address(OLD, NEW)}`);
      await side('Old output').locator('del').getByText('shipped').waitFor();
      await side('New output').locator('ins').getByText('cancelled').first().waitFor();
      expect(await page.locator('.two-head').first().textContent()).toMatch(/Old refund-agent/);
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `side-by-side-${theme}`);
    });

    it('show any part, by words, by paths or without marks, and Back undoes the choice', async () => {
      await page.goto(address(OLD, NEW));
      await page.getByRole('button', { name: 'Metadata' }).click();
      await page.keyboard.press('d');
      await page.waitForURL(/part=metadata&diff=json/);
      const row = page.getByRole('row', { name: /env/ });
      await row.waitFor();
      expect(await row.getByRole('cell').allTextContents()).toEqual(['"prod"', '"staging"']);
      expect(await violationsOf(page)).toEqual([]);
      await page.goBack();
      await page.waitForURL(/part=metadata$/);
      await side('New metadata object').locator('ins').first().waitFor();
    });

    it('have the steps of two sessions, which events have not', async () => {
      await page.goto(address(OLD, NEW, '?part=steps'));
      await side('Old step list').locator('del').getByText('search_orders').waitFor();
      await side('New step list').locator('ins').getByText('cancel_order').waitFor();
      await page.goto(address(OLD_STEP, NEW_STEP, '?part=steps'));
      await page.getByText('no such order').waitFor();
      expect(await page.getByRole('button', { name: 'Steps' }).count()).toBe(0);
    });

    it('swap by a key, lead to their sessions, and say which one is not there', async () => {
      await page.goto(address(OLD_STEP, NEW_STEP));
      await page.locator('.two-head').first().getByText('search_orders').waitFor();
      await page.keyboard.press('b');
      await page.waitForURL(`**${address(NEW_STEP, OLD_STEP)}`);
      const link = page.locator('.two-head').first().getByRole('link');
      expect(await link.getAttribute('href')).toBe(`/console/p/${project}/sessions/${NEW}?event=${NEW_STEP}`);
      await page.goto(address(OLD, eventId(8_999)));
      await page.getByText('One of both events is not there').waitFor();
      await page.getByText(eventId(8_999)).waitFor();
      expect(faults()).toEqual([]);
    });
  });
});
