import type { Browser, Page } from 'playwright-core';
import { violationsOf, violationsOfThemes } from '../harness/console/axe.js';
import { openBrowser, openPage, picture, type Theme } from '../harness/console/browser.js';
import { EVIL } from '../harness/console/hostile-data.js';
import { unmarkedTexts } from '../harness/console/hidden-characters.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { QueueApi, seedAnswers } from '../harness/console/seeded-queue.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const HOSTILE = `${EVIL} \u202egnp.exe 😀`;
const LARGE = '90071992547409931';

describe('datasets', () => {
  let stack: Stack;
  let browser: Browser;
  let api: QueueApi;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    api = new QueueApi(stack);
    await seedAnswers(stack, { from: 1_000, count: 8 });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const datapoint = (body: object) =>
    api.call<{ result: { insertedId: string } }>('POST', '/v1/datapoints', body);
  const nameField = (page: Page) => page.getByLabel('Name of the dataset');

  it.each<Theme>(['light', 'dark'])(
    'are made of selected rows after a preview, and ask again when no event has a field, in %s',
    async (theme) => {
      const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
      const project = await signInWithKey(page, stack.apiKey);
      await page.goto(`/console/p/${project}/events`);
      await page.locator('.grid-body .grid-row').first().waitFor();
      for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByRole('button', { name: 'Add to a dataset' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add to a dataset' });
      await dialog.getByText('3 events are selected').waitFor();
      await nameField(page).fill(`golden ${theme}`);
      await dialog.getByLabel('Expected output from').fill('outputs.nothing');
      await dialog.getByText('in 0 of 3, so no datapoint has it').waitFor();
      const cells = dialog.locator('.datasets-preview tbody tr').first().getByRole('cell');
      await cells.nth(2).getByText('absent', { exact: true }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `dataset-mapping-${theme}`);
      await dialog.getByRole('button', { name: 'Add 3 datapoints', exact: true }).click();
      await dialog.getByText('No event has one of the fields.').waitFor();
      expect(
        (await api.call<{ datasets: { name: string }[] }>('GET', '/v1/datasets')).datasets.map(
          (one) => one.name,
        ),
      ).not.toContain(`golden ${theme}`);

      await dialog.getByLabel('Expected output from').fill('outputs');
      await dialog.getByText(/outputs as expected output: in 3 of 3/).waitFor();
      await dialog.getByRole('button', { name: 'Add 3 datapoints', exact: true }).click();
      await page.waitForURL(/\/datasets\/[0-9a-f]+$/);
      await page.getByText('3 / 3 datapoints').waitFor();
      await page.getByText('No run uses it yet.').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `dataset-${theme}`);
      expect(gates.faults).toEqual([]);
      await context.close();
    },
  );

  it('are made of the filters of a list, and appended to', async () => {
    const { result } = await api.call<{ result: { insertedId: string } }>('POST', '/v1/datasets', {
      name: 'existing',
    });
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${project}/events?f=event_name:is:answer 2`);
    await page.locator('.grid-body .grid-row').first().waitFor();
    await page.getByRole('button', { name: 'Dataset', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to a dataset' });
    await dialog.getByRole('combobox').selectOption(result.insertedId);
    await dialog.getByRole('button', { name: 'Add 1 datapoint', exact: true }).click();
    await page.waitForURL(new RegExp(`/datasets/${result.insertedId}$`));
    await page.getByText('1 / 1 datapoints').waitFor();
    await context.close();
  });

  it('list, change and remove datapoints, with every digit of their integers and hostile texts as such', async () => {
    const { result } = await api.call<{ result: { insertedId: string } }>('POST', '/v1/datasets', {
      ...{ name: HOSTILE, description: HOSTILE },
    });
    const id = result.insertedId;
    await datapoint({
      inputs: { question: HOSTILE },
      ground_truth: { answer: HOSTILE },
      linked_datasets: [id],
    });
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    await signInWithKey(page, stack.apiKey);
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL(/\/datasets$/);
    const row = page.getByRole('row').filter({ hasText: 'onerror' });
    await row.locator('.hidden-character').first().waitFor({ state: 'attached' });
    expect(await unmarkedTexts(page)).toEqual([]);
    expect(await violationsOfThemes(page, (theme) => picture(page, `datasets-${theme}`))).toEqual([]);
    await row.getByRole('link').click();
    await page.getByText('1 / 1 datapoints').waitFor();
    await page.getByRole('button', { name: /^Open the datapoint/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Datapoint/ });
    await dialog.getByLabel('Inputs').fill('{"order": ');
    await dialog.getByText(/^This is not JSON/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await violationsOfThemes(page)).toEqual([]);
    await dialog.getByLabel('Inputs').fill(`{"order": ${LARGE}}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: `{"order":${LARGE}}` }).waitFor();
    await page.getByRole('button', { name: /^Remove the datapoint/ }).click();
    await page.getByText('0 / 0 datapoints').waitFor();
    await page.getByText('The datapoint is kept, with the runs that used it.').waitFor();
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('name the runs that use them and lead to the comparison of the last two', async () => {
    const { result } = await api.call<{ result: { insertedId: string } }>('POST', '/v1/datasets', {
      name: 'used',
    });
    for (const name of ['prompt-v1', 'prompt-v2'])
      await api.call('POST', '/v1/runs', {
        name,
        dataset_id: result.insertedId,
        event_ids: [],
        status: 'completed',
      });
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${project}/datasets/${result.insertedId}`);
    await page.getByText('Used by 2 runs:').waitFor();
    await page.getByRole('link', { name: 'Compare the last two' }).click();
    await page.waitForURL(/\/compare\//);
    await context.close();
  });

  it('say which permission a viewer lacks', async () => {
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const made = await api.call<{ data: { key_value: string } }>(
      'POST',
      `/v1/projects/${project}/fine_grained_api_keys`,
      {
        permissions: ['datasets:read', 'datapoints:read', 'events:read'],
      },
    );
    await context.close();
    const viewer = await openPage(browser, stack.baseUrl);
    await signInWithKey(viewer.page, made.data.key_value);
    await viewer.page.goto(`/console/p/${project}/datasets`);
    await viewer.page.getByText('may not change datasets (datasets:write)').waitFor();
    await viewer.page.goto(`/console/p/${project}/events`);
    await viewer.page.locator('.grid-body .grid-row').first().waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Dataset', exact: true }).count()).toBe(0);
    await viewer.context.close();
  });
});
