import type { Browser, Page } from 'playwright-core';
import { violationsOf, violationsOfThemes } from '../harness/console/axe.js';
import { openBrowser, openPage, picture } from '../harness/console/browser.js';
import { EVIL, HOSTILE_TEXT } from '../harness/console/hostile-data.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { QueueApi, seedAnswers } from '../harness/console/seeded-queue.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const NAME = `${EVIL} \u202egnp.exe 😀`;

describe('the screens of metrics', () => {
  let stack: Stack;
  let browser: Browser;
  let api: QueueApi;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    api = new QueueApi(stack);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  it('name the permission that a key lacks, and offer nothing else', async () => {
    const id = await api.metric('short', { type: 'PYTHON', criteria: 'result = 1', enabled_in_prod: true });
    const owner = await openPage(browser, stack.baseUrl);
    const own = await signInWithKey(owner.page, stack.apiKey);
    await owner.context.close();
    const { data } = await api.call<{ data: { key_value: string } }>(
      'POST',
      `/v1/projects/${own}/fine_grained_api_keys`,
      { permissions: ['events:read', 'metrics:read', 'projects:read'] },
    );
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, data.key_value);
    await page.goto(`/console/p/${project}/evaluators`);
    await page.getByText('New metrics need the permission metrics:write').waitFor();
    await page.getByRole('link', { name: 'short' }).click();
    await page.getByText('Changing and deploying need the permission metrics:write').waitFor();
    await page.getByText('Trying needs metrics:write').waitFor();
    for (const name of [/^Try \(/, /^Deploy/])
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Criteria' }).click();
    await page.keyboard.type('x');
    await page.keyboard.press('Control+s');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByText('As v1, which is deployed').waitFor();
    await picture(page, 'evaluator-read-only-light');
    const refused = await page.evaluate<number>(
      `fetch('/v1/metrics/${id}/versions/v1/deploy', {method: 'POST', body: '{}', headers: {'Content-Type': 'application/json', 'Assay-Project': '${project}'}}).then((response) => response.status)`,
    );
    expect(refused).toBe(403);
    await context.close();
  });

  it('make a metric of categories, and a composite of metrics that exist', async () => {
    await api.metric('first', { type: 'PYTHON', criteria: 'result = 1' });
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const create = async (name: string) => {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.keyboard.press('Control+s');
      await page.waitForURL(/\/evaluators\/[0-9a-f]+$/);
      return api.call<object>('GET', `/v1/metrics/${page.url().split('/').at(-1) ?? ''}`);
    };
    await page.goto(`/console/p/${project}/evaluators/new`);
    await page.getByLabel('Scores are').selectOption('category');
    for (const [at, category] of ['good', 'bad'].entries()) {
      await page.getByRole('button', { name: 'Add a category' }).click();
      await page.getByLabel(`Category ${at + 1}`, { exact: true }).fill(category);
    }
    await page.getByLabel('Score 1').fill('1');
    await page.getByLabel('good', { exact: true }).check();
    await page.getByLabel('Direction').selectOption('neither');
    await page.getByLabel('Filters').fill('event_type:is:model\nnonsense');
    await page.getByText('Not a filter, and not applied: nonsense').waitFor();
    await page.getByLabel('Filters').fill('event_type:is:model');
    await page.getByLabel('Sample of new events').fill('12.5');
    expect(await create('kind')).toMatchObject({
      ...{ return_type: 'categorical', direction: 'none', sampling_percentage: 12.5 },
      ...{ threshold: { passing_categories: ['good'] } },
      categories: [
        { category: 'good', score: 1 },
        { category: 'bad', score: null },
      ],
      filters: { filterArray: [{ field: 'event_type', operator: 'is', value: 'model' }] },
    });
    await page.goto(`/console/p/${project}/evaluators/new`);
    await page.getByLabel('Scored by').selectOption('composite');
    await page.getByLabel('Name', { exact: true }).fill('both');
    await page.getByText('combines no metric yet').waitFor();
    await page.getByRole('button', { name: 'Add a metric' }).click();
    await page.getByLabel('Metric 1', { exact: true }).selectOption('first');
    await page.getByLabel('Weight 1').fill('2.5');
    await page.getByLabel('Function').selectOption('minimum');
    expect(await create('both')).toMatchObject({
      ...{ type: 'COMPOSITE', criteria: 'minimum', child_metrics: [{ name: 'first', weight: 2.5 }] },
    });
    await context.close();
  });

  it('show what a job has decided about stored events, and how far it agrees with people', async () => {
    const tone = await api.metric('tone', { return_type: 'boolean' });
    await seedAnswers(stack, { from: 5_000, count: 4 }, { metrics: { tone: true }, source: 'agreement' });
    const filterArray = [{ field: 'source', operator: 'is', value: 'agreement', type: 'string' }];
    const id = await api.metric('first order', {
      ...{ type: 'PYTHON', return_type: 'boolean', filters: { filterArray } },
      criteria:
        'if "Order 3" in outputs["content"]:\n    raise ValueError()\nresult = "Order 0" in outputs["content"]',
    });
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${project}/evaluators/${id}?view=results`);
    await page.getByText('has decided about no event').waitFor();
    await page.getByRole('button', { name: 'Evaluate stored events' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Evaluate', exact: true }).click();
    await page.getByText('4 events: 3 scored · 1 failed · 0 skipped · completed').waitFor();
    await page.getByRole('row', { name: 'error 1 execution_error 1' }).waitFor();
    await page.getByRole('row', { name: 'scored 3' }).waitFor();
    // Queries have the scores.
    await api.call('POST', '/v1/events/page', { filters: [], limit: 1 });
    await page.getByLabel('Scores of people').selectOption('tone');
    await page.waitForURL(new RegExp(`with=${tone}`));
    await page.getByText('3 events with both scores').waitFor();
    await page.getByRole('row', { name: 'true 2 1' }).waitFor();
    await page.getByRole('row', { name: 'false 0 0' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await picture(page, 'evaluator-results-light');
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('have no violation of WCAG 2.2 A and AA in light and in dark colours, with any names and texts', async () => {
    const id = await api.metric(NAME, {
      ...{ type: 'PYTHON', return_type: 'categorical', description: HOSTILE_TEXT },
      criteria: `print(${JSON.stringify(HOSTILE_TEXT)})\nraise ValueError(${JSON.stringify(HOSTILE_TEXT)})`,
      categories: [HOSTILE_TEXT, 'constructor'].map((category, score) => ({ category, score })),
      filters: {
        filterArray: [{ field: 'event_name', operator: 'is not', value: HOSTILE_TEXT, type: 'string' }],
      },
    });
    const content = {
      name: NAME,
      type: 'PYTHON',
      criteria: HOSTILE_TEXT.replace(/^/, '# '),
      description: NAME,
    };
    await api.call('POST', `/v1/metrics/${id}/versions`, { message: HOSTILE_TEXT, content });
    const [event = ''] = await seedAnswers(
      stack,
      { from: 3_000, count: 1 },
      { event_name: HOSTILE_TEXT, outputs: { answer: HOSTILE_TEXT } },
    );
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const found: Record<string, string[]> = {};
    const check = async (screen: string) => {
      found[screen] = await violationsOfThemes(page, (theme) => picture(page, `${screen}-${theme}`));
      const drawn = page.locator(
        'img, iframe, a[href^="javascript"], a[href*="elsewhere"], script:not([src])',
      );
      expect({ screen, drawn: await drawn.count() }).toEqual({ screen, drawn: 0 });
    };
    await page.goto(`/console/p/${project}/evaluators`);
    await page.getByText(EVIL).first().waitFor();
    await check('evaluators-hostile');
    await page.goto(`/console/p/${project}/evaluators/${id}?event=${event}`);
    await page.getByRole('textbox', { name: 'Criteria' }).getByText('onerror').first().waitFor();
    await page.getByRole('button', { name: 'Try (' }).click();
    await page.getByText('✕ execution error').waitFor();
    await page.getByRole('button', { name: 'Line 2' }).waitFor();
    await check('evaluator-hostile');
    await page.getByRole('button', { name: 'versions' }).click();
    await page.getByRole('group', { name: 'New text of the criteria' }).locator('ins').first().waitFor();
    await check('evaluator-versions-hostile');
    await page.goto(`/console/p/${project}/evaluators/new`);
    await page.getByLabel('Scored by').selectOption('judge');
    await page.getByRole('textbox', { name: 'Criteria' }).getByText('Question').waitFor();
    await check('evaluator-new');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, []])));
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  const screen = (page: Page) => page.getByRole('textbox', { name: 'Criteria' });

  it('keep what was typed while a person looks elsewhere, and leave the editor by Escape and Tab', async () => {
    const id = await api.metric('kept', { type: 'PYTHON', criteria: 'result = 1' });
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${project}/evaluators/${id}`);
    await screen(page).click();
    await page.keyboard.press('Control+End');
    // Letters are text there, and never commands.
    await page.keyboard.type(' + 1 # g s ?');
    await page.getByText('Draft, begun with v1').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.locator('.button-primary:focus').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.waitForURL(/\/queues/);
    await page.goBack();
    await screen(page).getByText('result = 1 + 1 # g s ?').waitFor();
    await page.getByLabel('Filters').fill('nonsense');
    await page.getByText('not applied: nonsense').waitFor();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await screen(page).getByText('result = 1', { exact: true }).waitFor();
    expect(await page.getByLabel('Filters').inputValue()).toBe('');
    await context.close();
  });
});
