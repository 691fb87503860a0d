import type { Browser } from 'playwright-core';
import { violationsOf } from '../harness/console/axe.js';
import { openBrowser, openPage, picture, type Theme } from '../harness/console/browser.js';
import { HOSTILE_TEXT } from '../harness/console/hostile-data.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { QueueApi, seedAnswers } from '../harness/console/seeded-queue.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

describe('the health of the installation', () => {
  let stack: Stack;
  let browser: Browser;
  let api: QueueApi;
  let queue: string;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startWithConsole({ REDACT_FIELDS: 'metadata.user' }),
      openBrowser(),
    ]);
    api = new QueueApi(stack);
    await seedAnswers(stack, { from: 1_000, count: 3 });
    const filterArray = [{ field: 'event_name', operator: 'is', value: 'answer 1', type: 'string' }];
    await api.metric('correct', { return_type: 'boolean' });
    queue = await api.queue({ name: 'answers', filters: { filterArray } });
    await api.call('POST', `/v1/queues/${queue}/backfill`, {});
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const sendRejected = (body: string) =>
    fetch(`${stack.baseUrl}/v1/events`, {
      ...{ method: 'POST', body },
      headers: {
        ...{ Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
        'User-Agent': HOSTILE_TEXT,
      },
    });

  it.each<Theme>(['light', 'dark'])(
    'says what needs attention while it happens, without violations of WCAG 2.2 A and AA in %s colours',
    async (theme) => {
      const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
      await signInWithKey(page, stack.apiKey);
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.waitForURL(/\/health$/);
      const part = (name: string) => page.getByRole('region', { name });
      await part('Stages').getByRole('row').filter({ hasText: 'stored' }).getByText('this project').waitFor();
      await part('What the control plane receives').getByText('metadata.user').waitFor();
      await part('Limits in force').getByText('max body bytes', { exact: true }).waitFor();
      await part('How much is taken').getByText('without a limit').first().waitFor();
      await part('Evaluation').getByText('Python metrics').waitFor();

      // Only the administrator may read them.
      await page
        .getByRole('status')
        .getByText('Dead letters are not known without administration.')
        .waitFor();

      // Each theme sends a cause of its own, twice.
      const [field, body] = theme === 'light' ? ['event_type', '{}'] : ['inputs', '{"event_type":"tool"}'];
      for (const response of [await sendRejected(body), await sendRejected(body)])
        expect(response.status).toBe(400);
      const row = part('Rejected requests').getByRole('row').filter({ hasText: field });
      await row.getByRole('cell', { name: '2', exact: true }).waitFor();
      await row.getByText(HOSTILE_TEXT.slice(0, 20)).waitFor();
      await page
        .getByRole('status')
        .getByText(/^\d+ requests were rejected in the last 5 minutes\.$/)
        .waitFor();

      const job = part('Jobs').getByRole('row').filter({ hasText: 'completed' });
      await job.getByText('1 match').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `health-${theme}`);
      await job.getByRole('link', { name: 'Stored events of a queue' }).click();
      await page.waitForURL(new RegExp(`/queues/${queue}$`));
      expect(gates.faults).toEqual([]);
      await context.close();
    },
  );
});
