import type { Browser, Page } from 'playwright-core';
import { violationsOfThemes } from '../harness/console/axe.js';
import { openBrowser, openPage, picture } from '../harness/console/browser.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { QueueApi, seedAnswers } from '../harness/console/seeded-queue.js';
import { EVIL } from '../harness/console/hostile-data.js';
import { eventId } from '../harness/console/seeded-sessions.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const HOSTILE = `${EVIL} \u202egnp.exe 😀`;

describe('annotation queues', () => {
  let stack: Stack;
  let browser: Browser;
  let api: QueueApi;
  let correct: string;
  let ids: string[];

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    api = new QueueApi(stack);
    correct = await api.metric('correct', { return_type: 'boolean' });
    ids = await seedAnswers(stack, { from: 1_000, count: 6 });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const name = async (page: Page, typed: string) => {
    await page.getByLabel('Your name').fill(typed);
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it('are made of a list with its filters and stored events, and of selected rows', async () => {
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${project}/events?f=event_name:is:answer 2`);
    await page.locator('.grid-body .grid-row').first().waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'New annotation queue' });
    await dialog.getByLabel('Name', { exact: true }).fill('of a list');
    await dialog.getByLabel('Guidelines for annotators').fill('Look at the date.');
    await dialog.getByLabel('correct').check();
    await picture(page, 'queue-new-light');
    await dialog.getByRole('button', { name: 'Create the queue' }).click();
    await page.waitForURL(/\/queues\/[0-9a-f]+\?job=/);
    await page.getByText(/Stored events: 1 match of \d+ examined · completed/).waitFor();
    await page.getByText('event_name is answer 2').waitFor();
    await page.locator('tbody').getByText('pending').waitFor();
    const [queue] = (await api.call<{ queues: { id: string }[] }>('GET', '/v1/queues')).queues;
    expect(queue).toMatchObject({ name: 'of a list', enabled: true, metric_ids: [correct] });
    expect((await api.items(queue?.id ?? '')).events).toMatchObject([{ event_id: ids[2] }]);

    await page.goto(`/console/p/${project}/events`);
    await page.locator('.grid-body .grid-row').first().waitFor();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Make a queue' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('of rows');
    await dialog.getByText('2 selected events.').waitFor();
    await dialog.getByRole('button', { name: 'Create the queue' }).click();
    await page.getByText('2 / 2 items').waitFor();
    await context.close();
  });

  it('show their progress and the agreement of annotators', async () => {
    const queue = await api.queue({ name: 'agreed', event_ids: ids.slice(0, 3), annotations_per_item: 2 });
    for (const [nth, id] of ids.slice(0, 2).entries())
      for (const annotator of ['anna', 'bert'])
        await api.call('PUT', `/v1/queues/${queue}/events/${id}`, {
          ...{ status: 'done', annotator, metrics: { correct: nth === 0 } },
        });
    await api.items(queue);
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    const row = page.getByRole('row').filter({ hasText: 'agreed' });
    await row.getByText('2 / 3').waitFor();
    await row.getByText('1 almost perfect').waitFor();
    await page.goto(`/console/p/${project}/queues/${queue}`);
    await page.getByText('anna – bert 1 almost perfect (2)').waitFor();
    await context.close();
  });

  it('leave notes on any event, under the name of the person', async () => {
    const [id = ''] = ids;
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const session = eventId(1_001);
    await page.goto(`/console/p/${project}/sessions/${session}?event=${id}`);
    await page.getByText('Where is order 0?').first().waitFor();
    await page.keyboard.press('c');
    await name(page, 'Ada Müller');
    await page.getByLabel('Your note, as ada-muller').fill(HOSTILE);
    await page.getByRole('button', { name: 'Save the note' }).click();
    await page.getByRole('region', { name: 'Notes' }).locator('dd').filter({ hasText: 'onerror' }).waitFor();
    expect(await api.feedback(id)).toMatchObject({
      'note@ada-muller': HOSTILE,
      ground_truth: 'order 0: 4 May',
    });
    await context.close();
  });

  it('have no violation of WCAG 2.2 A and AA in light and in dark colours, with any names', async () => {
    const metric = await api.metric(HOSTILE, {
      ...{ return_type: 'categorical', criteria: `${HOSTILE} ![x](https://elsewhere.example/x.png)` },
      categories: [HOSTILE, 'constructor', 'x'.repeat(150)].map((category, score) => ({ category, score })),
    });
    const text = await api.metric(`constructor`, { return_type: 'string' });
    const fields = {
      inputs: { question: HOSTILE },
      outputs: { answer: `[l](javascript:alert(1)) ${HOSTILE}` },
    };
    const hostile = await seedAnswers(stack, { from: 3_000, count: 2 }, fields);
    const filterArray = [{ field: 'metadata.x', operator: 'is', value: HOSTILE, type: 'string' }];
    const queue = await api.queue({
      ...{ name: HOSTILE, description: `${HOSTILE}\n`.repeat(9), event_ids: hostile },
      ...{ metric_ids: [correct, metric, text], filters: { filterArray } },
    });
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const found: Record<string, string[]> = {};
    const check = async (screen: string, ready: string) => {
      await page.locator(ready).first().waitFor();
      found[screen] = await violationsOfThemes(page, (theme) => picture(page, `${screen}-${theme}`));
    };
    await page.goto(`/console/p/${project}/queues`);
    await check('queues', '.queue-progress');
    await page.getByRole('button', { name: 'New queue' }).click();
    await page.getByRole('dialog').getByLabel('every metric').waitFor();
    await check('queue-new', '.new-queue');
    await page.goto(`/console/p/${project}/queues/${queue}`);
    await check('queue', '.queue tbody tr');
    await page.goto(`/console/p/${project}/queues/${queue}/work`);
    await check('queue-name', '.annotator-form');
    await name(page, 'Anna');
    await page.locator('.work-messages').getByText('onerror').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('2');
    await page.keyboard.press('s');
    await page.getByRole('radio', { name: 'constructor', checked: true }).waitFor();
    await check('queue-hostile', '.work-fields');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page.locator('.work-saved').filter({ hasText: 'Saved' }).waitFor();
    await page.keyboard.press('[');
    await page.getByText('An item that you have done').waitFor();
    await check('queue-done', '.work-fields');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, []])));
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});
