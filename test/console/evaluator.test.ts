import { startFakeProvider, chatCompletion, type FakeProvider } from '@assay/judges/test/fake-provider';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, picture } from '../harness/console/browser.js';
import { holdResponse } from '../harness/console/hold-response.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { QueueApi, seedAnswers } from '../harness/console/seeded-queue.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

interface Version {
  readonly name: string;
  readonly message: string;
  readonly deployed: boolean;
  readonly content: object;
}

/** A prompt with one of these words gets such a reply. */
const REPLIES = { limited: 429, garbage: 200, silent: undefined } as const;

describe('a metric in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let provider: FakeProvider;
  let api: QueueApi;
  let ids: string[];

  beforeAll(async () => {
    provider = await startFakeProvider([
      (response, { body }) => {
        const prompt = JSON.stringify(body.messages);
        const word = (Object.keys(REPLIES) as (keyof typeof REPLIES)[]).find((one) => prompt.includes(one));
        if (word === 'silent') return;
        response.writeHead(word === undefined ? 200 : (REPLIES[word] ?? 200), {
          'content-type': 'application/json',
        });
        const text = word === 'garbage' ? '<<nothing of use' : 'It is good. Rating: [[4]]';
        response.end(JSON.stringify(word === 'limited' ? { error: { code: 'rate' } } : chatCompletion(text)));
      },
    ]);
    [stack, browser] = await Promise.all([
      startWithConsole({
        ...{ LLM_PROXY_URL: `${provider.url}/v1`, LLM_PROXY_API_KEY: 'sk-test' },
        ...{ LLM_DEFAULT_PROVIDER: 'openai', LLM_DEFAULT_MODEL: 'gpt-4o', LLM_PROXY_TIMEOUT_MS: '10000' },
      }),
      openBrowser(),
    ]);
    api = new QueueApi(stack);
    ids = await seedAnswers(stack, { from: 1_000, count: 12 });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await provider?.close();
  });

  const criteria = (page: Page) => page.getByRole('textbox', { name: 'Criteria' });
  /** Pastes another text into the editor, as a person does. */
  const write = async (page: Page, text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await criteria(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    await page
      .locator('.cm-line')
      .first()
      .getByText(text.split('\n')[0] ?? '')
      .waitFor();
  };
  /** Tries another text, and resolves when the server has responded: it evaluates one draft of a project at a time. */
  const tryText = async (page: Page, text: string) => {
    await write(page, text);
    const responded = page.waitForResponse('**/v1/metrics/try');
    await page.keyboard.press('Control+Enter');
    await (await responded).finished();
  };
  const tried = (page: Page) => page.getByRole('region', { name: 'Try', exact: true });
  const versions = async (id: string) =>
    (await api.call<{ data: Version[] }>('GET', `/v1/metrics/${id}/versions`)).data;
  const open = async () => {
    const opened = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(opened.page, stack.apiKey);
    return { ...opened, project };
  };
  const python = (name: string, text: string, fields: object = {}) =>
    api.metric(name, {
      type: 'PYTHON',
      criteria: text,
      sampling_percentage: 100,
      enabled_in_prod: true,
      ...fields,
    });

  it('is corrected in the line that fails, tried on stored events, deployed with a message, and scores a new event', async () => {
    const id = await python('length', 'def length(outputs):\n    return 1\n', {
      filters: { filterArray: [{ field: 'event_type', operator: 'is', value: 'model', type: 'string' }] },
    });
    const { page, gates, context } = await open();
    await page.keyboard.press('g');
    await page.keyboard.press('v');
    await page.getByRole('row').filter({ hasText: 'length' }).getByText('that match').waitFor();
    await picture(page, 'evaluators-light');
    await page.getByRole('link', { name: 'length' }).click();
    await page.getByText('As v1, which is deployed').waitFor();

    await write(page, 'def length(outputs):\n    return len(outputs["contents"]');
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Deploy the draft' });
    await dialog.getByLabel('What changes').fill('Count characters');
    await dialog.getByRole('button', { name: 'Deploy', exact: true }).click();
    await dialog.getByRole('alert').getByText('does not compile (line 2)').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Line 2' }).waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    await picture(page, 'evaluator-error-light');
    expect(await versions(id)).toHaveLength(1);

    // Compiles, and fails when it runs.
    await write(page, 'def length(outputs):\n    n = 0\n    return len(outputs["contents"])');
    await page.keyboard.press('Control+Enter');
    await tried(page).getByText('10 failed').waitFor();
    await page.getByRole('button', { name: 'Line 3' }).waitFor();

    await write(page, 'def length(outputs):\n    print("seen")\n    return len(outputs["content"])');
    await page.getByRole('button', { name: 'Line 3' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await tried(page)
      .getByText(/matches 12 of the last \d+ events · sampled 10 of 10 tried/)
      .waitFor();
    const first = tried(page).locator('details').first();
    await first.locator('summary').click();
    await first.getByText('seen').waitFor();
    await picture(page, 'evaluator-tried-light');
    await first.getByRole('button', { name: 'Try on this event only' }).click();
    await page.waitForURL(/event=[0-9a-f-]{36}/);
    await page.getByRole('button', { name: 'Try (' }).click();
    await tried(page).getByText('sampled 1 of 1 tried').waitFor();

    await page.keyboard.press('Control+s');
    await dialog.getByLabel('What changes').fill('Count characters');
    await page.keyboard.press('Enter');
    await page.getByText('As v2, which is deployed').waitFor();
    expect(await versions(id)).toMatchObject([
      { name: 'v1', deployed: false },
      { name: 'v2', deployed: true, message: 'Count characters' },
    ]);

    const [event = ''] = await seedAnswers(stack, { from: 2_000, count: 1 });
    let score: unknown;
    while (score === undefined) {
      const read = await api.call<{ event: { metrics: Record<string, unknown> } }>(
        'GET',
        `/v1/events/${event}`,
      );
      score = read.event.metrics['length'];
    }
    expect(score).toBe('Order 0 was shipped on 3 May.'.length);
    await page.getByRole('button', { name: 'versions' }).click();
    await page.getByRole('group', { name: 'New text of the criteria' }).locator('ins').first().waitFor();
    await picture(page, 'evaluator-versions-light');
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('says that another version was deployed meanwhile, and keeps the draft', async () => {
    const id = await python('raced', 'result = 1');
    const { page, context, project } = await open();
    const deliverMetric = await holdResponse(page, `**/v1/metrics/${id}`, 2);
    await page.goto(`/console/p/${project}/evaluators/${id}`);
    await write(page, 'result = 2');
    const replace = (n: number) => api.call('PUT', `/v1/metrics/${id}`, { criteria: `result = ${n}` });
    await replace(3);
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Deploy the draft' });
    await dialog.getByLabel('What changes').fill('two');
    const refused = page.waitForResponse(`**/v1/metrics/${id}/versions?expected_version=v1`);
    await page.keyboard.press('Enter');
    expect((await refused).status()).toBe(409);
    await dialog.getByText('Meanwhile v2 was deployed: Updated').waitFor();
    expect(await versions(id)).toHaveLength(2);
    // Once more, while the person reads this, and while the page reads the metric again.
    await replace(4);
    await dialog.getByRole('button', { name: 'Replace v2' }).click();
    await dialog.getByText('Meanwhile v3 was deployed: Updated').waitFor();
    await deliverMetric();
    expect(await dialog.getByLabel('What changes').inputValue()).toBe('two');
    await page.keyboard.press('Escape');
    await criteria(page).getByText('result = 2').waitFor();
    await page.keyboard.press('Control+s');
    await dialog.getByLabel('What changes').fill('two');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Replace v3' }).click();
    await page.getByText('As v4, which is deployed').waitFor();
    expect((await versions(id))[3]).toMatchObject({ message: 'two', content: { criteria: 'result = 2' } });
    await page.getByRole('button', { name: 'versions' }).click();
    await replace(5);
    await page.getByRole('button', { name: 'Deploy v1' }).click();
    await page.getByText('Not deployed: expected_version is stale').waitFor();
    await page.getByText('v5 is deployed').waitFor();
    await page.getByRole('button', { name: 'Deploy v1' }).click();
    await page.getByText('v1 is deployed', { exact: true }).waitFor();
    expect((await versions(id)).filter(({ deployed }) => deployed)).toMatchObject([{ name: 'v1' }]);
    await context.close();
  });

  it('tried: code that never ends, prints a megabyte, or raises without a line', async () => {
    const id = await python('bad code', 'result = 1');
    const { page, context, project } = await open();
    await page.goto(`/console/p/${project}/evaluators/${id}?event=${ids[0]}`);
    const result = tried(page);
    const attempt = (text: string) => tryText(page, text);
    await attempt('while True:\n    pass');
    await result.getByText('✕ timeout').waitFor();
    await attempt('print("x" * 1_000_000)\nresult = 5');
    await result.locator('.tried-value', { hasText: /^5$/ }).waitFor();
    await result.locator('summary').click();
    await result.getByText('the first 64 KiB').waitFor();
    await attempt('exec("1 / 0")\nresult = 6');
    await result.getByText('✕ execution error').waitFor();
    await result
      .getByText(/ZeroDivisionError/)
      .first()
      .waitFor();
    await context.close();
  });

  it('tried: a judge that is limited, sends garbage, does not reply, or has a template with an index', async () => {
    const { page, context, project } = await open();
    await page.goto(`/console/p/${project}/evaluators/new?event=${ids[0]}`);
    await page.getByLabel('Name', { exact: true }).fill('judge');
    await page.getByLabel('Scored by').selectOption('judge');
    await page.getByLabel('Provider').fill('openai');
    await page.getByLabel('Model', { exact: true }).fill('gpt-4o');
    const result = tried(page);
    const attempt = (text: string) => tryText(page, text);
    await attempt('Rate\n{{ inputs.chat_history.0.content }}');
    await page.getByRole('button', { name: 'Line 2' }).waitFor();
    await result.getByText('inputs.chat_history[0] instead of').waitFor();
    await attempt('Rate {{ inputs.chat_history[0].content }}');
    await result.locator('.tried-value', { hasText: /^4$/ }).waitFor();
    await result.locator('summary').click();
    await result.getByText('Rate Where is order 0?').waitFor();
    await result.getByText('It is good. Rating: [[4]]').waitFor();
    await attempt('garbage {{ outputs.content }}');
    await result.getByText('✕ llm response parse error').waitFor();
    await result.getByText('<<nothing of use').waitFor();
    await attempt('a\n{{ inputs.missing + 1 }}');
    await page.getByRole('button', { name: 'Line 2' }).waitFor();

    const before = provider.requests.length;
    await write(page, 'Rate {{ outputs.content }}');
    await page.getByRole('button', { name: 'newest that match' }).click();
    await page.getByLabel('Events', { exact: true }).fill('11');
    await page.getByRole('button', { name: 'Try (' }).click();
    const question = page.getByRole('dialog', { name: 'Ask the model up to 11 times?' });
    await question.getByText('Each call is paid for').waitFor();
    expect(provider.requests.length).toBe(before);
    await question.getByRole('button', { name: 'Ask the model' }).click();
    await result.getByText(/sampled \d+ of 11 tried/).waitFor();
    await picture(page, 'evaluator-judge-light');

    // Last: a provider that fails is left alone for a while.
    await page.getByRole('button', { name: 'one event' }).click();
    await page.getByLabel('Id of the event').fill(ids[0] ?? '');
    await attempt('limited');
    await result.getByText('✕ ').waitFor();
    await attempt('silent');
    await result.getByText('✕ ').waitFor();
    await context.close();
  });

  it('evaluates stored events in a job that a person stops', async () => {
    const id = await api.metric('slow judge', {
      ...{
        type: 'LLM',
        criteria: 'silent {{ outputs.content }}',
        model_provider: 'openai',
        model_name: 'gpt-4o',
      },
    });
    const { page, context, project } = await open();
    await page.goto(`/console/p/${project}/evaluators/${id}?view=results`);
    await page.getByRole('button', { name: 'Evaluate stored events' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Each event is a call of the model').waitFor();
    await question.getByRole('button', { name: 'Evaluate', exact: true }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/skipped · stopped/).waitFor();
    const { jobs } = await api.call<{ jobs: { metric_id: string; state: string }[] }>('GET', '/v1/jobs');
    expect(jobs.filter(({ metric_id: metric }) => metric === id)).toMatchObject([{ state: 'stopped' }]);
    await context.close();
  });
});
