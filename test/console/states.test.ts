import type { Browser, Page, Route } from 'playwright-core';
import { violationsOfThemes } from '../harness/console/axe.js';
import { openBrowser, openPage } from '../harness/console/browser.js';
import { seedRuns, type SeededRuns } from '../harness/console/seeded-runs.js';
import { agentSession, eventId, sendEvents, SESSIONS } from '../harness/console/seeded-sessions.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

interface Screen {
  readonly name: string;
  readonly path: string;
  /** What is on the screen once its data are drawn. */
  readonly full: string;
}

const NOBODY = '99999999-9999-4999-8999-999999999999';
/** What the screens say while they wait. */
const LOADING = /^(?:Reading|Looking for|Computing|Comparing) ?/;
const BUSY = {
  ...{ status: 503, headers: { 'Retry-After': '60' }, contentType: 'application/json' },
  body: '{"statusCode":503,"message":"the store is busy","errorCode":"OVERLOADED","requestId":"r-1"}',
};

const screensOf = (project: string, { newRun, oldRun }: SeededRuns): readonly Screen[] =>
  Object.entries({
    start: ['start', '.arrival'],
    sessions: ['sessions', '.grid-row'],
    events: ['events', '.grid-row'],
    conversation: [`sessions/${SESSIONS.agent}`, '.message-assistant'],
    tree: [`sessions/${SESSIONS.agent}?view=tree&event=${eventId(3)}`, '.tree-row'],
    raw: [`sessions/${SESSIONS.agent}?view=raw`, '.json-row'],
    runs: ['runs', '.runs-table'],
    health: ['health', '.health-table'],
    run: [`runs/${newRun}`, '.run-metrics'],
    compare: [`compare/${newRun}/${oldRun}`, '.diff-side'],
  }).map(([name, [path, full]]) => ({ name, path: `/console/p/${project}/${path}`, full: String(full) }));

/** Each screen in each state in which it has no usual content, without violations of WCAG 2.2 A and AA. */
describe('the states of every screen', () => {
  let stack: Stack;
  let browser: Browser;
  let runs: SeededRuns;

  beforeAll(async () => {
    // Values leave this product redacted only; the console of the same process still shows them.
    const redacting = { REDACT_VALUES: 'true', REDACT_NUMBERS: 'true' };
    [stack, browser] = await Promise.all([startWithConsole(redacting), openBrowser()]);
    await sendEvents(stack, agentSession());
    runs = await seedRuns(stack);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** Checks every screen while requests of the API are handled in some way. */
  async function checkAll({
    handle,
    ready,
  }: {
    handle?: (route: Route) => unknown;
    ready: (page: Page, full: string) => Promise<void>;
  }): Promise<void> {
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    if (handle) await context.route(/\/v1\//, (route) => void handle(route));
    const found: Record<string, string[]> = {};
    for (const { name, path, full } of screensOf(project, runs)) {
      await page.goto(path);
      await ready(page, full);
      found[name] = await violationsOfThemes(page);
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    expect(Object.keys(found).length).toBe(10);
    await context.close();
  }

  describe('in light and in dark colours', () => {
    it('have no violation while nothing has answered yet', () =>
      checkAll({
        handle: () => undefined,
        ready: (page) => page.getByText(LOADING).first().waitFor(),
      }));

    it('have none when the server is busy', () =>
      checkAll({
        handle: (route) => route.fulfill(BUSY),
        ready: (page) =>
          page
            .getByText(/store is busy|Looking for/)
            .first()
            .waitFor(),
      }));

    it('have none where values are redacted on their way to the control plane', () =>
      checkAll({ ready: (page, full) => page.locator(full).first().waitFor() }));

    it('have none in a project without anything', async () => {
      const empty = await startWithConsole();
      try {
        const { page, context } = await openPage(browser, empty.baseUrl);
        const project = await signInWithKey(page, empty.apiKey);
        const found: Record<string, string[]> = {};
        const nothing = { newRun: NOBODY, oldRun: SESSIONS.agent };
        for (const { name, path } of screensOf(project, nothing)) {
          await page.goto(path);
          await page
            .getByRole('status')
            .or(page.getByRole('alert'))
            .filter({ hasText: EMPTY })
            .first()
            .waitFor();
          found[name] = await violationsOfThemes(page);
        }
        expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
        await context.close();
      } finally {
        await empty.stop();
      }
    });
  });
});

/** What screens say of a project without anything. */
const EMPTY =
  /Waiting for|attention|No sessions|No events|No runs|not found|no events|could not be|does not exist/i;
