import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { waitFor } from '@assay/testing';
import { violationsOf } from '../harness/console/axe.js';
import { openBrowser, openPage, picture, type Theme } from '../harness/console/browser.js';
import { QueueApi } from '../harness/console/seeded-queue.js';
import { createRun } from '../harness/console/seeded-runs.js';
import { anEventOf, aSession, eventId, sendEvents } from '../harness/console/seeded-sessions.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import { repository } from '../harness/stack/repository.js';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';

const DATA_PLANE = 'https://data.example.com';
/** In every value of an event that a person could have written. */
const CANARY = 'canary for ada@example.com';
/** No name, because it has two lines. */
const UNNAMED = 'canary\nfor ada@example.com';
const SESSION = eventId(7_000);

let split: EmbeddedSplit;
let browser: Browser;
const ids = { run: '', queue: '', metric: '', dataset: '' };

/** Definitions, a run, and sessions with the canary in all values; waits until the control plane has them. */
async function seed(): Promise<void> {
  const api = new QueueApi(split);
  ids.metric = await api.metric('tone', { return_type: 'boolean' });
  const fields = { name: 'refunds', filters: { filterArray: [] }, metric_ids: [ids.metric] };
  ids.queue = await api.queue(fields);
  await api.call('POST', '/v1/charts', { name: 'slow answers', metric: 'duration', func: 'median' });
  const dataset = { name: 'golden questions', description: '' };
  const { result } = await api.call<{ result: { insertedId: string } }>('POST', '/v1/datasets', dataset);
  ids.dataset = result.insertedId;
  const parameters = { call_type: 'chat', model: 'gpt-4o' };
  await api.call('POST', '/v1/configurations', { name: 'support', provider: 'openai', parameters });
  ids.run = await createRun(split, 'prompt-v7');
  const values = {
    ...{ inputs: { question: CANARY }, outputs: { answer: CANARY }, error: CANARY, source: UNNAMED },
    ...{ metadata: { note: CANARY, [UNNAMED]: CANARY }, user_properties: { name: CANARY } },
    ...{ config: { model: CANARY }, metrics: { accuracy: 0.5, verdict: CANARY } },
    feedback: { 'note@ada': CANARY },
  };
  await sendEvents(split, [
    aSession(SESSION, UNNAMED, 900, values),
    anEventOf(SESSION, 10, 800, {
      ...{ event_id: eventId(7_001), event_type: 'model', event_name: UNNAMED, ...values },
    }),
    aSession(eventId(7_002), 'refund-agent', 900, { metrics: { accuracy: 0.9 } }),
  ]);
  const control = new QueueApi({ baseUrl: split.controlPlaneUrl, apiKey: split.apiKey });
  await waitFor('the control plane has the summaries', async () => {
    const { sessions } = await control.call<{ sessions: { num_events: number }[] }>('GET', '/v1/sessions');
    return sessions.length === 2 && sessions.some(({ num_events: events }) => events === 1);
  });
}

/** What the page shows at each address of the console, below that of the project. */
const screens = (): Readonly<Record<string, string | RegExp>> => ({
  sessions: 'refund-agent',
  [`sessions/${SESSION}`]: 'stay in your data plane',
  events: 'stay in your data plane',
  usage: 'all days',
  runs: 'prompt-v7',
  [`runs/${ids.run}`]: 'Scores, results and comparisons stay in your data plane',
  [`compare/${ids.run}/${ids.run}`]: 'stay in your data plane',
  charts: 'slow answers',
  queues: 'refunds',
  [`queues/${ids.queue}`]: 'Items, progress and agreement stay in your data plane',
  [`queues/${ids.queue}/work`]: 'stay in your data plane',
  evaluators: 'tone',
  [`evaluators/${ids.metric}`]: 'v1 is deployed',
  [`evaluators/${ids.metric}?view=versions`]: 'v1',
  [`evaluators/${ids.metric}?view=results`]: 'Decisions and scores stay in your data plane',
  datasets: 'golden questions',
  [`datasets/${ids.dataset}`]: 'No run uses it yet',
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
    await seed();
  });
  afterAll(async () => {
    await browser?.close();
    expect(await split?.stop()).toBe(true);
  });

  it.each<Theme>(['light', 'dark'])(
    'shows what it has on every screen, and no value of an event, in %s colours',
    async (theme) => {
      const { page, gates, context } = await openPage(browser, split.controlPlaneUrl, theme);
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
        expect([path, await violationsOf(page)]).toEqual([path, []]);
        await picture(page, `control-plane-${path.replace(/[/?].*?(?==|$)/, '-').replace('=', '')}-${theme}`);
        seen.push(await page.content(), await storageOf(page));
      }
      const texts = [...bodies, ...seen].map((text) => /.{0,200}(?:canary|for ada@).{0,50}/.exec(text)?.[0]);
      expect(texts.filter((text) => text !== undefined)).toEqual([]);
      expect(bodies.some((text) => text.includes('refund-agent'))).toBe(true);
      expect(refused).toEqual([]);
      expect(gates.faults).toEqual([]);
      await context.close();
    },
  );

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
      `${DATA_PLANE}/console/p/${project}/sessions/${SESSION}`,
    );
    await page.goto(`/console/p/${project}/runs/${ids.run}?agg=sum&only=failed`);
    const link = main(page).getByRole('link', { name: 'Open there' });
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      `${DATA_PLANE}/console/p/${project}/runs/${ids.run}`,
      'noreferrer',
    ]);
    expect(gates.faults).toEqual([]);
    expect(gates.requests.filter((request) => request.includes('/v1/status'))).toEqual([]);
    await context.close();
  });
});

const storageOf = (page: Page) =>
  page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
