import type { compareRunResults, ResponseOf } from '@assay/contracts';
import type { Page } from 'playwright-core';
import { violationsOfThemes } from '../harness/console/axe.js';
import { openPage, picture, type ConsolePage, type Theme } from '../harness/console/browser.js';
import { seedRuns, seedRunsWithoutRanges, type SeededRuns } from '../harness/console/seeded-runs.js';
import { newProject, productOfFile } from '../harness/console/product-of-file.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const MAX_NODES = 1_500;

describe('runs and their comparison', () => {
  const started = productOfFile();

  describe.each<Theme>(['light', 'dark'])('in %s colours', (theme) => {
    let stack: Stack;
    let shared: ConsolePage;
    let project: string;
    let runs: SeededRuns;

    beforeAll(async () => {
      stack = await newProject(started.product, theme);
      runs = await seedRuns(stack);
      shared = await openPage(started.browser, stack.baseUrl, theme);
      project = await signInWithKey(shared.page, stack.apiKey);
    });
    afterAll(async () => {
      await shared?.context.close();
    });

    const comparison = (query = '') => `/console/p/${project}/compare/${runs.newRun}/${runs.oldRun}${query}`;
    const metric = (page: Page, name: string) =>
      page.getByRole('group', { name: 'Metrics' }).getByRole('row').filter({ hasText: name });
    const datapoint = (page: Page, id: string) =>
      page.getByRole('grid', { name: 'Datapoints' }).getByRole('row').filter({ hasText: id });
    const current = (page: Page) => page.locator('[role="row"][aria-selected="true"] .datapoint-id');

    it('are chosen in the list and compared, the later one as the new one', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/runs`);
      await page.getByText('34 / 39').waitFor();
      await page.getByRole('checkbox', { name: 'Compare prompt-v6' }).check();
      await page.getByRole('checkbox', { name: 'Compare prompt-v7' }).check();
      await page.getByRole('link', { name: 'Compare prompt-v7 against prompt-v6' }).click();
      await page.waitForURL(new RegExp(`${runs.newRun}/${runs.oldRun}`));
    });

    it('show the failures of a run first, with links to their sessions', async () => {
      const { page } = shared;
      await page.goto(`/console/p/${project}/runs/${runs.newRun}`);
      await page.getByText('34 of 39 datapoints passed').waitFor();
      const outcomes = await page.locator('tbody td:first-child').allTextContents();
      expect(outcomes.filter((text) => text === '✕ failed' || text === '✕ error').length).toBe(5);
      await page.getByRole('button', { name: /failed only/ }).click();
      await page.waitForURL(/only=failed/);
      await page.getByText(/^5 \/ 5 trials/).waitFor();
    });

    it('state the verdict, the interval and the number of pairs of each metric as the API does', async () => {
      const { page } = shared;
      const response = await fetch(`${stack.baseUrl}/v1/runs/${runs.newRun}/compare/${runs.oldRun}`, {
        headers: { Authorization: `Bearer ${stack.apiKey}` },
      });
      const { metrics } = (await response.json()) as ResponseOf<typeof compareRunResults>;
      expect(metrics.map(({ metric_name: name }) => name)).toEqual(
        expect.arrayContaining(['accuracy', 'careful']),
      );
      await page.goto(comparison());
      await metric(page, 'careful').getByText('▲ better').waitFor();
      await metric(page, 'careful').getByText('[+0.1, +0.1]').waitFor();
      for (const { metric_name: name, statistics } of metrics) {
        const text = (await metric(page, name).textContent()) ?? '';
        expect(text).toContain(String(statistics.pairs));
        expect(text).toContain(statistics.verdict.replace(/_/g, ' '));
      }
      await page.getByText(/gate: . undecided/).waitFor();
    });

    it('find the worst datapoint with one key, and mark what differs', async () => {
      const { page } = shared;
      await page.goto(comparison());
      await datapoint(page, 'EXT-101').waitFor();
      await page.keyboard.press('r');
      await current(page).filter({ hasText: 'EXT-101' }).waitFor();
      await page
        .getByRole('group', { name: 'New output' })
        .locator('ins', { hasText: 'cancelled' })
        .waitFor();
      await page.getByRole('group', { name: 'Old output' }).locator('del', { hasText: 'shipped' }).waitFor();
      await page.keyboard.press('r');
      await current(page).filter({ hasText: 'EXT-110' }).waitFor();
      await page.keyboard.press('d');
      await page.getByRole('group', { name: 'Changed paths' }).getByText('answer').waitFor();
      await page.waitForURL(/diff=json/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/sessions\/00000000-0000-4000-8000-000000002010/);
      await page.goBack();
      await current(page).filter({ hasText: 'EXT-110' }).waitFor();
    });

    it('have rows for datapoints that one run lacks, and for errors', async () => {
      const { page } = shared;
      await page.goto(comparison('?only=missing'));
      await datapoint(page, 'EXT-139').getByText('not in this run').waitFor();
      await page.goto(comparison('?only=error'));
      await datapoint(page, 'EXT-105').getByText('the provider refused the call').waitFor();
      expect(await page.getByRole('grid', { name: 'Datapoints' }).getByRole('row').count()).toBe(2);
    });

    it('order the datapoints by the metric that was chosen, and Back undoes the choice', async () => {
      const { page } = shared;
      await page.goto(comparison());
      await metric(page, 'careful').getByRole('button').click();
      await page.waitForURL(/metric=careful/);
      await page.getByText('by careful').waitFor();
      await page.getByRole('button', { name: /better 39/ }).waitFor();
      await page.goBack();
      await page.getByText('by whether all scores passed').waitFor();
      expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(
        MAX_NODES,
      );
    });

    it('order the datapoints by the first metric that differs when no score has a condition to pass', async () => {
      const { page } = shared;
      const { newRun, oldRun } = await seedRunsWithoutRanges(stack);
      await page.goto(`/console/p/${project}/compare/${newRun}/${oldRun}`);
      await page.getByText('by accuracy').waitFor();
      await metric(page, 'accuracy').getByRole('button', { pressed: true }).waitFor();
      await page.getByRole('button', { name: /worse [1-9]/ }).waitFor();
      await metric(page, 'careful').getByRole('button').click();
      await page.getByText('by careful').waitFor();
      await page.getByRole('button', { name: /better 39/ }).waitFor();
    });

    it('break no policy, log no error and ask no other host in all of this', () => {
      expect(shared.gates.faults).toEqual([]);
    });
  });

  it('have no violation of WCAG 2.2 A and AA in light and in dark colours', async () => {
    const stack = await newProject(started.product, 'colours');
    const { oldRun, newRun } = await seedRuns(stack);
    const { page, gates, context } = await openPage(started.browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const comparison = `/console/p/${project}/compare/${newRun}/${oldRun}`;
    const found: Record<string, string[]> = {};
    const screens = [
      ['runs', `/console/p/${project}/runs`, '.runs-table'],
      ['run', `/console/p/${project}/runs/${newRun}`, '.run-metrics'],
      ['compare', comparison, '.diff-side'],
      ['compare-json', `${comparison}?diff=json&metric=careful`, '.compare .diff-note, .diff-paths'],
    ] as const;
    for (const [name, path, ready] of screens) {
      await page.goto(path);
      await page.locator(ready).first().waitFor();
      found[name] = await violationsOfThemes(page, (theme) => picture(page, `${name}-${theme}`));
    }
    expect(found).toEqual({ runs: [], run: [], compare: [], 'compare-json': [] });
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});
