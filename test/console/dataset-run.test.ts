import type { Browser } from 'playwright-core';
import { openBrowser, openPage, picture, type ConsolePage } from '../harness/console/browser.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import {
  anEventOf,
  aSession,
  eventId,
  sendEvents,
  type SentEvent,
} from '../harness/console/seeded-sessions.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';
import { clientProgram, pythonWith } from '../instrumentations/packages/client-packages.js';
import { runProgram } from '../instrumentations/scene/run-program.js';

const QUESTIONS = Array.from({ length: 8 }, (_, order) => `Where is order ${order}?`);
const WRONG = QUESTIONS[3]!;
const RUN_WITHIN_MS = 60_000;

describe('a dataset that is made of events', () => {
  let stack: Stack;
  let browser: Browser;
  let shared: ConsolePage;
  let python: string;
  let project: string;
  let dataset: string;

  beforeAll(async () => {
    [stack, browser, python] = await Promise.all([
      startWithConsole(),
      openBrowser(),
      pythonWith('public-client'),
    ]);
    await sendEvents(stack, QUESTIONS.flatMap(answered));
    shared = await openPage(browser, stack.baseUrl);
    project = await signInWithKey(shared.page, stack.apiKey);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** Runs an application on the dataset by the public Python client. */
  const runOnDataset = (name: string, ...wrong: string[]) => {
    const args = [clientProgram('python/public_client_dataset_run.py'), dataset, name, ...wrong];
    const environment = { ASSAY_URL: stack.baseUrl, ASSAY_API_KEY: stack.apiKey };
    return runProgram({ file: python, args }, environment, RUN_WITHIN_MS);
  };
  it('has the parts of the events that the mapping names', async () => {
    const { page } = shared;
    await page.goto(`/console/p/${project}/events?f=event_type:is:model`);
    await firstRow(page);
    for (let row = 0; row < QUESTIONS.length; row++) {
      await page.keyboard.press('j');
      await page.keyboard.press('x');
    }
    await page.getByRole('button', { name: 'Add to a dataset' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to a dataset' });
    await page.getByLabel('Name of the dataset').fill('orders');
    await dialog.getByLabel('Inputs from').fill('inputs.question');
    await dialog.getByLabel('Expected output from').fill('outputs.answer');
    await dialog.getByText(/outputs.answer as expected output: in 8 of 8/).waitFor();
    await dialog.getByRole('button', { name: 'Add 8 datapoints', exact: true }).click();
    await page.waitForURL(/\/datasets\/[0-9a-f]+$/);
    await page.getByText('8 / 8 datapoints').waitFor();
    dataset = page.url().split('/').at(-1) ?? '';
  });

  it('is run twice by the public Python client', async () => {
    expect(await runOnDataset('prompt-v1')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(await runOnDataset('prompt-v2', WRONG)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('leads to the comparison of these runs, with the verdict and the datapoint that is worst', async () => {
    const { page } = shared;
    await page.goto(`/console/p/${project}/datasets/${dataset}`);
    await page.getByText('Used by 2 runs:').waitFor();
    await page.getByRole('link', { name: 'Compare the last two' }).click();
    await page.waitForURL(/\/compare\//);
    const metric = page
      .getByRole('group', { name: 'Metrics' })
      .getByRole('row')
      .filter({ hasText: 'is_right' });
    await metric.getByText('too few to tell (n = 8)').waitFor();
    await page.getByText(/gate: . undecided/).waitFor();
    await metric.getByRole('button').click();
    await page.getByRole('button', { name: /worse 1$/ }).waitFor();
    await page.keyboard.press('r');
    const side = (name: string) => page.getByRole('group', { name: `${name} output` });
    await side('New').locator('ins', { hasText: 'lost' }).waitFor();
    await side('Old').locator('del', { hasText: 'shipped' }).waitFor();
    expect(await page.locator('[role="row"][aria-selected="true"]').textContent()).toContain(WRONG);
    await picture(page, 'dataset-compare');
    expect(shared.gates.faults).toEqual([]);
  });
});

/** A session in which a model has answered the question. */
function answered(question: string, nth: number): SentEvent[] {
  const session = eventId(2 * nth);
  const [order] = /\d+/.exec(question) ?? [];
  const texts = { inputs: { question }, outputs: { answer: `Order ${order} was shipped on 3 May.` } };
  return [
    aSession(session, 'orders', 900),
    anEventOf(session, 10, 800, {
      ...{ event_id: eventId(2 * nth + 1), event_type: 'model', event_name: 'answer', ...texts },
    }),
  ];
}
