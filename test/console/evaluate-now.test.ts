import { violationsOf } from '../harness/console/axe.js';
import { openPage, picture, type Theme } from '../harness/console/browser.js';
import { newProject, productOfFile } from '../harness/console/product-of-file.js';
import { QueueApi, seedAnswers } from '../harness/console/seeded-queue.js';
import { eventId } from '../harness/console/seeded-sessions.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const PYTHON = { type: 'PYTHON', return_type: 'boolean', enabled_in_prod: true, sampling_percentage: 100 };
const BROKEN = { ...PYTHON, name: 'broken', criteria: 'result = 1 / 0' };

describe('an event that arrived before a metric', () => {
  const started = productOfFile();

  describe.each<Theme>(['light', 'dark'])('in %s colours', (theme) => {
    let stack: Stack;
    let viewer: string;
    const [session] = [eventId(9_002)];
    let event = '';

    beforeAll(async () => {
      stack = await newProject(started.product, theme);
      [event = ''] = await seedAnswers(stack, { from: 9_001, count: 1 });
      const api = new QueueApi(stack);
      await api.call('POST', '/v1/metrics', { ...PYTHON, name: 'late', criteria: 'result = True' });
      await api.call('POST', '/v1/metrics', { ...PYTHON, name: 'judge', criteria: 'result = True' });
      const [project] = await api.call<{ id: string }[]>('GET', '/v1/projects');
      const path = `/v1/projects/${project?.id ?? ''}/fine_grained_api_keys`;
      const rights = { name: 'viewer', permissions: ['events:read', 'metrics:read'] };
      viewer = (await api.call<{ data: { key_value: string } }>('POST', path, rights)).data.key_value;
    });

    it('is evaluated when a person asks for it, and the score appears', async () => {
      const { page, gates, context } = await openPage(started.browser, stack.baseUrl, theme);
      const project = await signInWithKey(page, stack.apiKey);
      await page.goto(`/console/p/${project}/sessions/${session}?event=${event}&view=tree&part=evaluations`);
      const row = (name: string) =>
        page.locator('.evaluation').filter({ has: page.getByText(name, { exact: true }) });
      await row('late').getByText('not evaluated').waitFor();
      // The client has sent a score of this name.
      expect(await row('judge').count()).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `evaluate-now-${theme}`);
      await row('late').getByRole('button', { name: 'Evaluate now' }).click();
      await row('late').getByText('scored').waitFor();
      await new QueueApi(stack).call('POST', '/v1/metrics', BROKEN);
      await page.reload();
      await row('broken').getByRole('button', { name: 'Evaluate now' }).click();
      await row('broken')
        .getByText(/ZeroDivisionError/)
        .first()
        .waitFor();
      expect(gates.faults).toEqual([]);
      await context.close();
    });

    it('says which permission a key lacks', async () => {
      const { page, context } = await openPage(started.browser, stack.baseUrl, theme);
      const project = await signInWithKey(page, viewer);
      await page.goto(
        `/console/p/${project}/sessions/${session}?event=${session}&view=tree&part=evaluations`,
      );
      await page.getByText('events:write, which this key lacks').first().waitFor();
      await context.close();
    });
  });
});
