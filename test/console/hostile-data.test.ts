import type { Page } from 'playwright-core';
import { violationsOf } from '../harness/console/axe.js';
import { openPage, picture, type ConsolePage, type Theme } from '../harness/console/browser.js';
import {
  EVIL,
  EVERY_FIELD,
  EXACT,
  hostileSession,
  HOSTILE_TEXT,
  markdownSession,
  sendBody,
  sendDeepJson,
  sendExactNumbers,
  STORED,
  TOO_DEEP,
  TURNING_TEXT,
  turningSession,
} from '../harness/console/hostile-data.js';
import { drawnAt, unmarkedTexts } from '../harness/console/hidden-characters.js';
import { newProject, productOfFile } from '../harness/console/product-of-file.js';
import { QueueApi } from '../harness/console/seeded-queue.js';
import { createRun } from '../harness/console/seeded-runs.js';
import { eventId, sendEvents, SESSIONS } from '../harness/console/seeded-sessions.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

/** Characters of a page with a line of a million. */
const MAX_DRAWN = 50_000;

describe('what no client should send', () => {
  const started = productOfFile();

  describe.each<Theme>(['light', 'dark'])('in %s colours', (theme) => {
    let stack: Stack;
    let shared: ConsolePage;
    let project: string;

    beforeAll(async () => {
      stack = await newProject(started.product, theme);
      await sendExactNumbers(stack);
      await sendDeepJson(stack);
      await sendEvents(stack, [...hostileSession(), ...markdownSession(), ...turningSession()]);
      shared = await openPage(started.browser, stack.baseUrl, theme);
      project = await signInWithKey(shared.page, stack.apiKey);
    });
    afterAll(async () => {
      await shared?.context.close();
    });

    const pathOf = (session: string, query = '') => `/console/p/${project}/sessions/${session}${query}`;
    const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

    it('is shown as what it is: names, times, parents and texts', async () => {
      const { page } = shared;
      await page.goto(pathOf(SESSIONS.hostile, '?view=tree'));
      await page.getByRole('heading', { name: EVIL }).waitFor();
      await row(page, 'cycle a').getByText('parents form a cycle').waitFor();
      await row(page, 'backwards').getByText('negative duration').first().waitFor({ state: 'attached' });
      await row(page, 'too early').getByText('outside its parent').first().waitFor({ state: 'attached' });
      await page.getByRole('group', { name: 'Input' }).getByText('javascript:alert(1)').waitFor();
      expect(await page.locator('img, a[href^="javascript"]').count()).toBe(0);
      await row(page, 'payloads').click();
      await page.getByText('image/png').waitFor();
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.locator('img[src^="data:image/png"]').waitFor();
      await page
        .getByRole('button', { name: /^Show all \(.* more\)/ })
        .first()
        .waitFor();
      // Of the line of a megabyte, what fits on a screen.
      expect((await page.locator('main').innerText()).length).toBeLessThan(MAX_DRAWN);
      await page.keyboard.press('v');
      await page.getByRole('group', { name: 'Rows of inputs' }).getByText('deep').waitFor();
      expect((await page.locator('main').innerText()).length).toBeLessThan(MAX_DRAWN);
    });

    it('is a text in every field: in lists, in each part of an event, and as the name of a run', async () => {
      const { page } = shared;
      const shows = async (path: string) => {
        await page.goto(`/console/p/${project}/${path}`);
        await page.getByText(EVIL).first().waitFor();
        const found = page.locator(
          'img, iframe, a[href^="javascript"], a[href*="elsewhere"], script:not([src])',
        );
        expect({ path, found: await found.count() }).toEqual({ path, found: 0 });
      };
      const columns = ['metadata.note', 'metrics.verdict', 'user_properties.name', 'source', 'config.model'];
      await shows(`events?cols=${columns.join(',')}&f=event_name:is:${EVERY_FIELD}`);
      await shows(`sessions/${SESSIONS.hostile}?event=${eventId(108)}`);
      for (const view of ['tree', 'raw'])
        for (const part of ['input', 'output', 'metadata', 'scores'])
          await shows(`sessions/${SESSIONS.hostile}?view=${view}&part=${part}&event=${eventId(108)}`);
      await createRun(stack, HOSTILE_TEXT);
      await shows('runs');
    });

    it('turns nothing around, and hides nothing: names, messages, JSON, errors, scores and their explanations', async () => {
      const { page } = shared;
      const api = new QueueApi(stack);
      const criteria = `def m(outputs):\n    return {"score": 1, "explanation": ${JSON.stringify(TURNING_TEXT)}}`;
      await api.metric(TURNING_TEXT, {
        type: 'PYTHON',
        enabled_in_prod: true,
        sampling_percentage: 100,
        return_type: 'float',
        criteria,
        event_type: 'model',
      });
      const [, call] = turningSession();
      const late = { ...call, event_id: eventId(221) };
      await sendEvents(stack, [late]);
      const evaluations = () =>
        api.call<{ evaluations: { decision: string }[] }>('GET', `/v1/events/${eventId(221)}/evaluations`);
      while ((await evaluations()).evaluations.every(({ decision }) => decision !== 'scored'));
      await createRun(stack, TURNING_TEXT);

      const shows = async (path: string, selector: string) => {
        await page.goto(`/console/p/${project}/${path}`);
        const whole = page.locator(selector).filter({ hasText: TURNING_TEXT }).first();
        await whole.waitFor();
        expect({ path, unmarked: await unmarkedTexts(page) }).toEqual({ path, unmarked: [] });
        const [e, b, shin, mem, p, w] = await drawnAt(page, selector, TURNING_TEXT, [
          'EUR',
          'Bob',
          '\u05e9',
          '\u05dd',
          'paid',
          'word',
        ]);
        // Words in the order of their letters, and Hebrew from right to left.
        const order = [p! < e!, e! < b!, b! < mem!, mem! < shin!, shin! < w!];
        expect({ path, order }).toEqual({ path, order: order.map(() => true) });
        return whole;
      };
      const columns = ['metadata.note', 'user_properties.name', 'source', 'config.model'].join(',');
      await shows(`events?cols=${columns}&f=session_id:is:${SESSIONS.turning}`, '.row-name');
      await shows(
        `events?cols=${columns}&f=session_id:is:${SESSIONS.turning}`,
        '[data-column="metadata.note"] bdi',
      );
      await shows('runs', 'a bdi, td bdi, a');
      const session = `sessions/${SESSIONS.turning}`;
      await shows(session, '.message-user .clamped');
      await shows(session, '.message-assistant .markdown strong');
      const of = `${session}?view=tree&event=${eventId(221)}`;
      const error = await shows(of, '.detail-error bdi');
      await picture(page, `hidden-characters-${theme}`);
      await error.click({ clickCount: 3 });
      await page.keyboard.press('Control+c');
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(TURNING_TEXT);
      await shows(`${session}?view=raw&event=${eventId(221)}`, '.json-key');
      await shows(`${session}?view=raw&event=${eventId(221)}`, '.json-text .clamped');
      await shows(`${of}&part=metadata`, '.json-text .clamped');
      await shows(`${of}&part=scores`, '.json-text .clamped');
      await shows(`${of}&part=evaluations`, '.evaluation-text');
      expect(await violationsOf(page)).toEqual([]);
    });

    it('has every digit of an integer beyond 2^53 on every screen', async () => {
      const { page } = shared;
      await page.goto(
        `/console/p/${project}/sessions?cols=metadata.order,metadata.longest,metrics.order&f=session_id:is:${SESSIONS.exact}`,
      );
      await firstRow(page);
      const cell = (column: string) => page.locator(`.grid-row [data-column="${column}"]`);
      expect(await cell('metadata.order').textContent()).toBe(EXACT.order);
      expect(await cell('metadata.longest').textContent()).toBe(EXACT.longest);
      expect(await cell('metrics.order').textContent()).toBe(EXACT.order);
      await cell('metadata.order').getByRole('button').click();
      await page.waitForURL((url) => url.search.includes(`metadata.order:is:${EXACT.order}:number`));
      await firstRow(page);
      const preview = await cell('inputs').textContent();
      for (const digits of STORED) expect(preview).toContain(digits);

      await page.goto(pathOf(SESSIONS.exact));
      const conversation = page.getByRole('article').first();
      for (const digits of STORED) await conversation.getByText(digits).first().waitFor();

      await page.goto(pathOf(SESSIONS.exact, '?view=tree'));
      const input = page.getByRole('group', { name: 'Input' });
      for (const digits of STORED) await input.getByText(digits).waitFor();
      await page.keyboard.press('3');
      await page
        .getByRole('group', { name: 'Rows of metadata' })
        .getByText(EXACT.order, { exact: true })
        .first()
        .waitFor();
      await page.keyboard.press('4');
      expect(await page.locator('.detail-scores dd').textContent()).toBe(EXACT.order);

      await page.goto(pathOf(SESSIONS.exact, '?view=raw'));
      const rows = page.getByRole('group', { name: 'Rows of inputs' });
      for (const digits of STORED) await rows.getByText(digits, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Copy all of inputs' }).click();
      await page.getByText('copied').waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied.match(/-?\d[\d.e+]{15,}/g)).toEqual(STORED);
    });

    it('is JSON of any depth: refused by its field, kept as a text, or opened to its bottom', async () => {
      const { page } = shared;
      const body = `{"event_type":"tool","event_name":"too deep","inputs":{"deep":${TOO_DEEP}}}`;
      expect((await sendBody(stack, '/v1/events', body)).status).toBe(400);
      await page.goto(`/console/p/${project}/start`);
      await page.locator('.rejections').getByText('inputs.deep').waitFor();

      await page.goto(pathOf(SESSIONS.deep, '?view=tree&pill=all'));
      await row(page, 'deeper').last().click();
      const input = page.getByRole('group', { name: 'Input' });
      for (const part of [/^Show all/, /^Show the last/])
        await input.getByRole('button', { name: part }).click();
      await input.getByRole('button', { name: /^Show / }).waitFor({ state: 'detached' });
      expect(await input.locator('.clamped').textContent()).toBe(TOO_DEEP);

      await row(page, 'deepest').click();
      await page.keyboard.press('v');
      await page.getByRole('searchbox', { name: 'Find in inputs' }).fill('the bottom');
      await page.locator('.json-current').getByText('the bottom').waitFor();
    });

    it('is Markdown that loads nothing, runs nothing and leads nowhere but to addresses of the web', async () => {
      const { page, gates } = shared;
      const requested = gates.requests.length;
      await page.goto(pathOf(SESSIONS.markdown));
      const reply = page.locator('.message-assistant .markdown');
      await reply.locator('.markdown-heading', { hasText: 'A heading' }).waitFor();
      await reply.getByText('image: a picture', { exact: true }).waitFor();
      await reply.locator('td', { hasText: 'EUR' }).waitFor();
      await reply.locator('pre', { hasText: 'alert(1)' }).waitFor();
      const links = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.markdown a')].map((link) => link.getAttribute('href'))`,
      );
      expect([...new Set(links)]).toEqual(['https://assay.example/docs', 'https://elsewhere.example/auto']);
      expect(
        await page.locator('.markdown a:not([rel~="noopener"]), .markdown img, .markdown script').count(),
      ).toBe(0);
      expect(gates.requests.slice(requested).filter((one) => one.includes('elsewhere'))).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `markdown-${theme}`);
    });

    it('breaks no policy, logs no error and asks no other host in all of this', () => {
      expect(shared.gates.faults).toEqual([]);
    });
  });
});
