import type { Page } from 'playwright-core';
import { violationsOfThemes } from '../harness/console/axe.js';
import { openPage, picture, type ConsolePage, type Theme } from '../harness/console/browser.js';
import {
  acceptEvents,
  agentSession,
  anEventOf,
  aSession,
  eventId,
  sendEvents,
  SESSIONS,
} from '../harness/console/seeded-sessions.js';
import { seedConventions } from '../harness/console/seeded-conventions.js';
import { newProject, productOfFile } from '../harness/console/product-of-file.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

/** Marks the document when anything but the keyboard is used. */
const MARK_POINTERS = `for (const type of ['pointerdown', 'mousedown', 'touchstart'])
  addEventListener(type, () => document.documentElement.setAttribute('data-pointer', 'used'), true);`;

describe('the page of a session', () => {
  const started = productOfFile();

  describe.each<Theme>(['light', 'dark'])('in %s colours', (theme) => {
    let stack: Stack;
    let shared: ConsolePage;
    let project: string;

    beforeAll(async () => {
      stack = await newProject(started.product, theme);
      const live = [
        aSession(SESSIONS.live, 'live agent', 100),
        anEventOf(SESSIONS.live, 10, 5, { event_name: 'first' }),
      ];
      await sendEvents(stack, [...agentSession(), ...live]);
      shared = await openPage(started.browser, stack.baseUrl, theme);
      project = await signInWithKey(shared.page, stack.apiKey);
    });
    afterAll(async () => {
      await shared?.context.close();
    });

    const pathOf = (session: string, query = '') => `/console/p/${project}/sessions/${session}${query}`;
    const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
    const current = (page: Page) => page.locator('[role="row"][aria-selected="true"] .tree-label');

    it('shows the whole session as one conversation, without what each call repeats', async () => {
      const { page } = shared;
      await page.goto(pathOf(SESSIONS.agent));
      const steps = page.getByRole('article');
      const first = steps.filter({ hasText: 'first call' });
      await first.getByText('Where is my refund for order 118?').waitFor();
      await first.getByText('{ "order": 118 }').waitFor();
      const second = steps.filter({ hasText: 'second call' });
      await page.keyboard.press('m');
      await page.keyboard.press('m');
      await second.getByText('3 messages as before').waitFor();
      await second.getByText('Your refund of €40 was issued on 3 May.').waitFor();
      expect(await second.getByText('Where is my refund').count()).toBe(0);
      await second.getByRole('button', { name: /as before/ }).click();
      await second.getByText('Where is my refund').waitFor();
      await second.getByText('"status": "shipped"').waitFor();
    });

    it('is worked with by the keyboard only', async () => {
      const { page, gates, context } = await openPage(started.browser, stack.baseUrl, theme);
      await signInWithKey(page, stack.apiKey);
      await page.addInitScript({ content: MARK_POINTERS });
      await page.goto(`/console/p/${project}/sessions?f=session_id:is:${SESSIONS.agent}`);
      await page.getByText('refund-agent').first().waitFor();
      await page.keyboard.press('j');
      await page.locator('[data-cursor] a:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/sessions/${SESSIONS.agent}`));
      await page.getByRole('article').first().waitFor();
      await page.keyboard.press('v');
      await page.getByRole('treegrid').waitFor();
      await page.keyboard.press('e');
      await current(page).filter({ hasText: 'http GET' }).waitFor();
      await page.keyboard.press('e');
      await current(page).filter({ hasText: 'bank_holidays' }).waitFor();
      await page.getByText('timeout after 900 ms').last().waitFor();
      await page.keyboard.press('E');
      await current(page).filter({ hasText: 'http GET' }).waitFor();
      await page.keyboard.press('p');
      await current(page).filter({ hasText: 'search_orders' }).waitFor();
      await page.keyboard.press('h');
      await row(page, 'http GET').waitFor({ state: 'detached' });
      await page.keyboard.press('l');
      await row(page, 'http GET').waitFor();
      await page.keyboard.press('2');
      await page.getByRole('group', { name: 'Output' }).getByText('shipped').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('call');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=call/);
      await page.keyboard.press('n');
      await current(page).filter({ hasText: 'second call' }).waitFor();
      await page.keyboard.press('N');
      await current(page).filter({ hasText: 'first call' }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      await current(page).filter({ hasText: 'first call' }).waitFor();
      await page.keyboard.press('v');
      await page.getByRole('group', { name: 'Rows of outputs' }).waitFor();
      for (const [key, name] of [
        ['3', 'metadata'],
        ['4', 'Scores'],
        ['5', 'Evaluations'],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByRole('button', { name: new RegExp(name, 'i'), pressed: true }).waitFor();
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Next error').waitFor();
      await page.keyboard.press('Escape');
      expect(await page.locator('html').getAttribute('data-pointer')).toBeNull();
      expect(gates.faults).toEqual([]);
      await context.close();
    });

    it('has its view in the address, and Back undoes each choice but no move of the cursor', async () => {
      const { page } = shared;
      await page.goto(pathOf(SESSIONS.agent, '?view=tree'));
      await row(page, 'plan').waitFor();
      await page.getByRole('button', { name: /^Errors/ }).click();
      await page.waitForURL(/pill=errors/);
      await page.getByText('6 hidden').waitFor();
      for (const key of ['j', 'j']) await page.keyboard.press(key);
      await page.waitForURL(new RegExp(`event=${eventId(5)}`));
      const other = await openPage(started.browser, stack.baseUrl, theme);
      await signInWithKey(other.page, stack.apiKey);
      await other.page.goto(page.url());
      await current(other.page).filter({ hasText: 'bank_holidays' }).waitFor();
      expect(await other.page.getByRole('treegrid').getByRole('row').count()).toBe(4);
      await other.context.close();
      await page.goBack();
      await page.waitForURL((url) => !url.search.includes('pill'));
      await row(page, 'plan').waitFor();
      await row(page, 'orphan').getByText('parent not received').waitFor();
    });

    it('shows model calls of three conventions as a conversation, as a tree and as they are stored', async () => {
      const { page } = shared;
      for (const { name, session, question, reply } of await seedConventions(stack)) {
        await page.goto(pathOf(session));
        const step = page.getByRole('article').filter({ hasText: `chat ${name}` });
        await step.getByText(question).waitFor();
        await step.getByText(reply).waitFor();
        await page.keyboard.press('v');
        await row(page, `chat ${name}`).last().click();
        await page.getByRole('group', { name: 'Input' }).getByText(question).waitFor();
        await page.keyboard.press('v');
        await page.getByRole('group', { name: 'Rows of inputs' }).getByText(question).waitFor();
      }
    });

    it('grows while events arrive, and the cursor stays on its event', async () => {
      const { page } = shared;
      await page.goto(pathOf(SESSIONS.live, '?view=tree'));
      await row(page, 'first').waitFor();
      await page.keyboard.press('j');
      await current(page).filter({ hasText: 'first' }).waitFor();
      await acceptEvents(stack, [anEventOf(SESSIONS.live, 5, 2, { event_name: 'arrived later' })]);
      await row(page, 'arrived later').waitFor();
      expect(await current(page).textContent()).toBe('first');
    });

    it('breaks no policy, logs no error and asks no other host in all of this', () => {
      expect(shared.gates.faults).toEqual([]);
    });
  });

  it('has no violation of WCAG 2.2 A and AA in light and in dark colours', async () => {
    const stack = await newProject(started.product, 'colours');
    await sendEvents(stack, agentSession());
    const { page, gates, context } = await openPage(started.browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const found: Record<string, string[]> = {};
    const check = async (name: string, query: string, ready: string) => {
      await page.goto(`/console/p/${project}/sessions/${SESSIONS.agent}${query}`);
      await page.locator(ready).first().waitFor();
      found[name] = await violationsOfThemes(page, (theme) => picture(page, `session-${name}-${theme}`));
    };
    await check('chat', '', '.message-assistant');
    await check('tree', '?view=tree&pill=errors', '.tree-row');
    await check('raw', '?view=raw', '.json-row');
    await check('metadata', `?view=tree&part=metadata&event=${eventId(2)}`, '.json-row');
    await check('scores', '?view=tree&part=scores', '.detail-scores');
    await check('evaluations', '?view=tree&part=evaluations', '.detail .step-loading, .evaluations');
    await page.route('**/tree', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: '{"message":"the store is busy"}',
      }),
    );
    await check('failed', '', '[role="alert"]');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});
