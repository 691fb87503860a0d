import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { violationsOfThemes } from '../harness/console/axe.js';
import { openBrowser, openPage, picture } from '../harness/console/browser.js';
import {
  CANARIES,
  REDACTED_SESSION,
  seedRedaction,
  type SeededIds,
} from '../harness/console/seeded-redaction.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import { repository } from '../harness/stack/repository.js';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';

const DATA_PLANE = 'https://data.example.com';
let split: EmbeddedSplit;
let browser: Browser;
let ids: SeededIds;

/** What the page shows at each address of the console, below that of the project. */
const screens = (): Readonly<Record<string, string | RegExp>> => ({
  sessions: 'refund-agent',
  [`sessions/${REDACTED_SESSION}`]: 'stay in your data plane',
  events: 'stay in your data plane',
  usage: 'all days',
  runs: 'prompt-v7',
  [`runs/${ids.run_id}`]: 'Scores, results and comparisons stay in your data plane',
  [`compare/${ids.run_id}/${ids.run_id}`]: 'stay in your data plane',
  charts: 'slow answers',
  queues: 'refunds',
  [`queues/${ids.queue_id}`]: 'Items, progress and agreement stay in your data plane',
  [`queues/${ids.queue_id}/work`]: 'stay in your data plane',
  evaluators: 'tone',
  [`evaluators/${ids.metric_id}`]: 'v1 is deployed',
  [`evaluators/${ids.metric_id}?view=versions`]: 'v1',
  [`evaluators/${ids.metric_id}?view=results`]: 'Decisions and scores stay in your data plane',
  datasets: 'golden questions',
  [`datasets/${ids.dataset_id}`]: 'No run uses it yet',
  start: 'stay in your data plane',
  health: 'stay in your data plane',
  api: '/v1/runs',
  'settings/keys': 'configured key',
  'settings/project': 'The limits in force stay in your data plane',
  'settings/configurations': 'gpt-4o',
  'settings/administration': 'Unlock',
});

const main = (page: Page) => page.getByRole('main');

describe('the console of a control plane', () => {
  beforeAll(async () => {
    const controlPlane = {
      CONSOLE_DIR: join(repository, 'services/console/dist'),
      CONSOLE_SESSION_SECRET: 'sessions-of-the-console-of-the-test',
      CONSOLE_DATA_PLANE_URL: DATA_PLANE,
    };
    [split, browser] = await Promise.all([
      startEmbeddedSplit({ REDACT_VALUES: 'true' }, controlPlane),
      openBrowser(),
    ]);
    ids = await seedRedaction(split);
  });
  afterAll(async () => {
    await browser?.close();
    expect(await split?.stop()).toBe(true);
  });

  it('shows what it has on every screen, and no value of an event, in light and in dark colours', async () => {
    const { page, gates, context } = await openPage(browser, split.controlPlaneUrl);
    const bodies: string[] = [];
    const refused: string[] = [];
    page.on('response', (response) => {
      const path = response.url().slice(split.controlPlaneUrl.length);
      if (response.status() >= 400 && path !== '/console/session')
        refused.push(`${response.status()} ${path}`);
      void response.text().then(
        (text) => bodies.push(text),
        () => undefined,
      );
    });
    const project = await signInWithKey(page, split.apiKey);
    const seen: string[] = [];
    for (const [path, text] of Object.entries(screens())) {
      await page.goto(`/console/p/${project}/${path}`);
      await main(page).getByText(text).first().waitFor();
      const name = `control-plane-${path.replace(/[/?].*?(?==|$)/, '-').replace('=', '')}`;
      const found = await violationsOfThemes(page, async (theme) => {
        await picture(page, `${name}-${theme}`);
        seen.push(await page.content(), await storageOf(page));
      });
      expect([path, found]).toEqual([path, []]);
    }
    const texts = [...bodies, ...seen].map((text) => CANARIES.exec(text)?.[0]);
    expect(texts.filter((text) => text !== undefined)).toEqual([]);
    expect(bodies.some((text) => text.includes('refund-agent'))).toBe(true);
    expect(refused).toEqual([]);
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('has no entry, key or command of what it lacks, and has its own one for usage', async () => {
    const { page, gates, context } = await openPage(browser, split.controlPlaneUrl);
    await signInWithKey(page, split.apiKey);
    const entries = await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link')
      .allTextContents();
    expect(entries).toEqual([
      ...['Sessions', 'Usage', 'Runs', 'Charts', 'Queues', 'Evaluators', 'Datasets', 'API', 'Settings'],
    ]);
    await page.keyboard.press('Control+k');
    const commands = (await page.getByRole('option').allTextContents()).join('\n');
    expect(commands).toContain('Go to usage by day');
    expect(commands).not.toMatch(/Go to (?:events|start|the health)/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByRole('row', { name: /^all days/ }).waitFor();
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('draws an emptied name as redacted, and links by ids into the data plane, which it never asks', async () => {
    const { page, gates, context } = await openPage(browser, split.controlPlaneUrl);
    const project = await signInWithKey(page, split.apiKey);
    const row = page.getByRole('row').filter({ hasText: 'redacted' });
    await row.waitFor();
    expect(await row.count()).toBe(1);
    expect(await row.getByRole('link').getAttribute('href')).toBe(
      `${DATA_PLANE}/console/p/${project}/sessions/${REDACTED_SESSION}`,
    );
    await page.goto(`/console/p/${project}/runs/${ids.run_id}?agg=sum&only=failed`);
    const link = main(page).getByRole('link', { name: 'Open there' });
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      `${DATA_PLANE}/console/p/${project}/runs/${ids.run_id}`,
      'noreferrer',
    ]);
    expect(gates.faults).toEqual([]);
    expect(gates.requests.filter((request) => request.includes('/v1/status'))).toEqual([]);
    await context.close();
  });
});

const storageOf = (page: Page) =>
  page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
