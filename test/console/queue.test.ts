import type { Cookie, Page, Request } from 'playwright-core';
import { openPage, picture, type ConsolePage, type Theme } from '../harness/console/browser.js';
import { holdResponse } from '../harness/console/hold-response.js';
import { newProject, productOfFile } from '../harness/console/product-of-file.js';
import { QueueApi, seedAnswers } from '../harness/console/seeded-queue.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

/** Any pointer event fails the test that made it. */
const REPORT_POINTERS = `for (const type of ['pointerdown', 'pointermove', 'mousedown', 'touchstart', 'click'])
  addEventListener(type, (event) => event.detail !== 0 || event.pointerType || type !== 'click'
    ? console.error('pointer used: ' + type) : undefined, true);`;

const BOOLEANS = 100;
const READ = 60;
const NONE_OPEN = 'No item is open';

/** The question on the screen, once it is another than the one before; or that none is left. Looked for in each frame. */
const nextQuestion = (before = '') => `new Promise((resolve) => {
  const look = () => {
    const [question] = /Where is order \\d+\\?/.exec(document.querySelector('.work-messages')?.innerText) ?? [];
    if (document.body.innerText.includes('${NONE_OPEN}')) resolve('${NONE_OPEN}');
    else if (question && question !== '${before}') resolve(question);
    else requestAnimationFrame(look);
  };
  look();
})`;

describe('annotation by keys alone', () => {
  const started = productOfFile();

  describe.each<Theme>(['light', 'dark'])('in %s colours', (theme) => {
    let stack: Stack;
    let api: QueueApi;
    let correct: string;
    let tone: string;

    beforeAll(async () => {
      stack = await newProject(started.product, theme);
      api = new QueueApi(stack);
      correct = await api.metric('correct', { return_type: 'boolean' });
      tone = await api.metric('tone', { scale: 5, criteria: 'Rate the tone from 1 to 5.' });
    });

    let signedIn: { readonly project: string; readonly cookies: Cookie[] } | undefined;

    /** Signs in once, because attempts of an address are limited, and works with keys alone from then on. */
    async function startWork(
      queue: string,
      name: string,
      prepare = (_page: Page) => Promise.resolve(),
    ): Promise<ConsolePage> {
      const opened = await openPage(started.browser, stack.baseUrl, theme);
      const { page, context } = opened;
      await prepare(page);
      if (signedIn) await context.addCookies(signedIn.cookies);
      else {
        const project = await signInWithKey(page, stack.apiKey);
        signedIn = { project, cookies: await context.cookies() };
      }
      await page.addInitScript({ content: REPORT_POINTERS });
      await page.goto(`/console/p/${signedIn.project}/queues/${queue}/work`);
      await page.getByLabel('Your name').waitFor();
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      return opened;
    }

    const saved = (page: Page, text: RegExp) =>
      page.locator('.work-saved').filter({ hasText: text }).waitFor();
    const question = (page: Page, nth: number) =>
      page.getByText(`Where is order ${nth}?`, { exact: true }).waitFor();

    it('judges every kind of field, skips, comments, and puts off', async () => {
      const [category, reason, amount] = [
        await api.metric('category', {
          return_type: 'categorical',
          categories: ['refund', 'order', 'other'].map((name, score) => ({ category: name, score })),
        }),
        await api.metric('reason', { return_type: 'string' }),
        await api.metric('amount', { scale: 100 }),
      ];
      const ids = await seedAnswers(stack, { from: 1_000, count: 4 });
      const queue = await api.queue({
        ...{ name: 'refunds', description: 'Correct only if the date is right.', event_ids: ids },
        metric_ids: [correct, tone, category, reason, amount],
      });
      const { page, context } = await startWork(queue, 'Anna Müller');
      await question(page, 0);
      await page.getByText('Correct only if the date is right.').waitFor();
      await page.getByText('order 0: 4 May').waitFor();
      await page.getByText('hidden until the item is done').waitFor();
      expect(await page.getByText('0.35').count()).toBe(0);
      await page.keyboard.press('y');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('4');
      await page.keyboard.press('Enter');
      await page.keyboard.press('2');
      await page.keyboard.press('Enter');
      await page.keyboard.type('It says so');
      await page.keyboard.press('Enter');
      await page.keyboard.type('42');
      await page.keyboard.press('Escape');
      await page.keyboard.press('c');
      await page.keyboard.type('checked');
      await picture(page, `work-${theme}`);
      await page.keyboard.press('Control+Enter');
      await question(page, 1);
      await saved(page, /^Saved \d\d:\d\d:\d\d$/);
      await page.keyboard.press('s');
      await page.keyboard.type('no answer');
      await page.keyboard.press('Enter');
      await question(page, 2);
      await saved(page, /^Skipped /);
      await page.keyboard.press('n');
      await page.keyboard.press('l');
      await question(page, 3);
      await page.getByText('1 put off').waitFor();
      const { events } = await api.items(queue);
      expect(events).toMatchObject([
        { status: 'done', annotator: 'anna-muller', comment: 'checked' },
        { status: 'skipped', annotator: 'anna-muller', reason: 'no answer' },
        { status: 'leased', lease: { annotator: 'anna-muller' } },
        { status: 'leased', lease: { annotator: 'anna-muller' } },
      ]);
      expect(events[0]?.event?.metrics).toMatchObject({
        ...{ correct: true, tone: 4, category: 'order', reason: 'It says so', amount: 42 },
      });
      await page.keyboard.press('Control+Enter');
      await page.getByRole('button', { name: 'Continue with the first of them' }).waitFor();
      await page.keyboard.press('[');
      await page.keyboard.press('[');
      await page.keyboard.press('[');
      await question(page, 0);
      await page.getByText('0.35').waitFor();
      await page.keyboard.press(']');
      await question(page, 1);
      await context.close();
    });

    it('shows what was done before a reload, the last one first, with the same values', async () => {
      const reason = await api.metric('why', { return_type: 'string' });
      const ids = await seedAnswers(stack, { from: 6_000, count: 6 });
      const metric_ids = [correct, reason];
      const queue = await api.queue({ name: 'reloaded', event_ids: ids, metric_ids });
      const { page, context, gates } = await startWork(queue, 'anna');
      await question(page, 0);
      await page.keyboard.press('l');
      await question(page, 1);
      await page.keyboard.press('s');
      await page.keyboard.type('no answer');
      await page.keyboard.press('Enter');
      await saved(page, /^Skipped /);
      await question(page, 2);
      await page.keyboard.press('y');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.type('It says so');
      await page.keyboard.press('Escape');
      await page.keyboard.press('c');
      await page.keyboard.type('checked');
      await page.keyboard.press('Control+Enter');
      await saved(page, /^Saved /);
      // Another annotator completes one, after all of these.
      await api.call('PUT', `/v1/queues/${queue}/events/${ids[5]}`, { status: 'done', annotator: 'bert' });
      await page.reload();
      // Which item comes depends on whether the leases of the page before have ended already.
      await page
        .getByText(/^Where is order \d+\?$/)
        .first()
        .waitFor();
      await page.getByText('0 done by you here · 3 of 6 in all').waitFor();
      await page.keyboard.press('[');
      await question(page, 2);
      await page.getByRole('radio', { name: 'yes', checked: true }).waitFor();
      expect(await page.getByLabel('why').inputValue()).toBe('It says so');
      expect(await page.getByLabel('Comment').inputValue()).toBe('checked');
      await page.keyboard.press('[');
      await question(page, 1);
      await page.keyboard.press('[');
      await page.keyboard.press(']');
      await question(page, 2);
      // One that was done before the reload is taken back like the others.
      await page.keyboard.press('Control+z');
      await saved(page, /Opened again. What was saved .* stays until you submit/);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('n');
      await page.keyboard.press('Control+Enter');
      await saved(page, /^Saved /);
      const { events } = await api.items(queue);
      expect(events[2]).toMatchObject({
        ...{ status: 'done', annotator: 'anna', comment: 'checked' },
        event: { metrics: { correct: false, why: 'It says so' } },
      });
      expect(gates.faults).toEqual([]);
      await context.close();
    });

    it('shows after a reload what waits for further annotators, and says when it cannot be read', async () => {
      const ids = await seedAnswers(stack, { from: 7_000, count: 2 });
      const metric_ids = [correct];
      const queue = await api.queue({ name: 'pairs', event_ids: ids, metric_ids, annotations_per_item: 2 });
      const { page, context, gates } = await startWork(queue, 'anna');
      gates.provoke(/ERR_FAILED/);
      await question(page, 0);
      await page.keyboard.press('n');
      await page.keyboard.press('Control+Enter');
      await saved(page, /waits for further annotators/);
      // What a tab has leased is free again when it closes, once it knows of it.
      await question(page, 1);
      await page.reload();
      await question(page, 1);
      const path = `**/v1/queues/${queue}/events?*`;
      await page.route(path, (route) => route.abort());
      await page.keyboard.press('[');
      await saved(page, /^What you did before could not be read: /);
      await page.unroute(path);
      await page.keyboard.press('[');
      await question(page, 0);
      await page.getByRole('radio', { name: 'no', checked: true }).waitFor();
      await context.close();
    });

    it('takes a submission back with what was said, and replaces the score', async () => {
      const ids = await seedAnswers(stack, { from: 2_000, count: 3 });
      const queue = await api.queue({
        name: 'undo',
        event_ids: ids,
        metric_ids: [correct],
        annotations_per_item: 2,
      });
      await api.call('PUT', `/v1/queues/${queue}/events/${ids[0]}`, { status: 'done', annotator: 'bert' });
      const { page, context } = await startWork(queue, 'anna');
      await question(page, 0);
      await page.keyboard.press('y');
      await page.keyboard.press('Control+Enter');
      await question(page, 1);
      await saved(page, /^Saved \d\d:\d\d:\d\d$/);
      await page.keyboard.press('y');
      await page.keyboard.press('Control+Enter');
      await question(page, 2);
      await saved(page, /waits for further annotators/);
      // One that needs further annotators, then one that is closed.
      for (const [nth, annotators] of [
        [1, undefined],
        [0, ['bert']],
      ] as const) {
        await page.keyboard.press('Control+z');
        await question(page, nth);
        await saved(page, /Opened again. What was saved .* stays until you submit/);
        const item = (await api.items(queue)).events[nth];
        expect([item?.status === 'done', item?.annotators]).toEqual([false, annotators]);
        expect(item?.event?.metrics).toMatchObject({ correct: true });
        await page.getByRole('radio', { name: 'yes', checked: true }).waitFor();
      }
      await page.keyboard.press('n');
      await page.keyboard.press('Control+Enter');
      await saved(page, /^Saved \d\d:\d\d:\d\d$/);
      await question(page, 1);
      const [first, second] = (await api.items(queue)).events;
      expect(first).toMatchObject({
        status: 'done',
        annotators: ['bert', 'anna'],
        event: { metrics: { correct: false } },
      });
      expect(second?.status).not.toBe('done');
      await context.close();
    });

    it('keeps what was typed when a lease ends, and says who has the item', async () => {
      const ids = await seedAnswers(stack, { from: 3_000, count: 2 });
      const queue = await api.queue({ name: 'leases', event_ids: ids, metric_ids: [correct, tone] });
      const { page, context, gates } = await startWork(queue, 'anna');
      await question(page, 0);
      await page.clock.install();
      await page.keyboard.press('y');
      await page.clock.fastForward('09:30');
      await page.getByText(/^lease 0:[0-3]\d$/).waitFor();
      // The item is free again: it is leased a second time, and what was chosen is still there.
      await api.release(queue, ids[0]!, 'anna');
      await page.clock.fastForward('01:00');
      const leasedTo = async () => (await api.items(queue)).events[0]?.lease?.annotator;
      while ((await leasedTo()) !== 'anna') await page.evaluate('new Promise(requestAnimationFrame)');
      await page.getByRole('radio', { name: 'yes', checked: true }).waitFor();
      await page.getByText(/^lease /).waitFor({ state: 'detached' });
      await api.release(queue, ids[0]!, 'anna');
      expect((await api.lease(queue, 'bert')).item?.event_id).toBe(ids[0]);
      await page.clock.fastForward('11:00');
      await page.getByText('The lease has ended: bert has it now. What you typed stays here.').waitFor();
      await page.keyboard.press('Control+Enter');
      await saved(page, /^Not saved: bert has it now$/);
      await page.getByRole('radio', { name: 'yes', checked: true }).waitFor();
      await api.call('PUT', `/v1/queues/${queue}/events/${ids[0]}`, { status: 'done', annotator: 'bert' });
      await page.keyboard.press('Control+Enter');
      await saved(page, /^Not saved: bert has completed it$/);
      await page.keyboard.press('Control+Enter');
      await question(page, 1);
      expect(gates.faults).toEqual([]);
      await context.close();
    });

    it('says that an event was deleted while it was judged, keeps what was typed, and continues', async () => {
      const ids = await seedAnswers(stack, { from: 8_000, count: 3 });
      const queue = await api.queue({ name: 'event deleted', event_ids: ids, metric_ids: [correct] });
      const { page, context, gates } = await startWork(queue, 'anna');
      gates.provoke(/404/);
      await question(page, 0);
      await page.keyboard.press('y');
      await deleteEvent(ids[0]!);
      await page.keyboard.press('Control+Enter');
      await saved(page, /^Not saved: the event was deleted$/);
      await question(page, 0);
      await page
        .getByText(/^Nothing more can be saved about this item\. What you typed stays here/)
        .waitFor();
      await page.getByRole('radio', { name: 'yes', checked: true }).waitFor();
      await page.keyboard.press('Control+Enter');
      for (const nth of [1, 2]) {
        await question(page, nth);
        await page.getByText(`${nth - 1} done by you here`).waitFor();
        await page.keyboard.press('n');
        await page.keyboard.press('Control+Enter');
      }
      await page.getByText('No item is open', { exact: true }).waitFor();
      await page.getByText('2 done by you here · 2 of 2 in all').waitFor();
      await page.keyboard.press('[');
      await question(page, 2);
      await page.keyboard.press('[');
      await question(page, 1);
      await page.keyboard.press('[');
      await question(page, 1);
      expect(gates.faults).toEqual([]);
      await context.close();
    });

    it('says that a queue was deleted, keeps what was typed, and leases nothing any more', async () => {
      const ids = await seedAnswers(stack, { from: 9_000, count: 3 });
      const queue = await api.queue({ name: 'deleted', event_ids: ids, metric_ids: [correct] });
      let deliverLease!: () => Promise<void>;
      const { page, context, gates } = await startWork(queue, 'anna', async (page) => {
        deliverLease = await holdResponse(page, '**/v1/queues/*/next', 2);
      });
      gates.provoke(/404/);
      await question(page, 0);
      await page.keyboard.press('n');
      await api.call('DELETE', `/v1/queues/${queue}`);
      await page.keyboard.press('Control+Enter');
      await saved(page, /^Not saved: the queue was deleted$/);
      await question(page, 0);
      await page.getByText(/^The queue was deleted\. What you typed stays here/).waitFor();
      await page.getByRole('radio', { name: 'no', checked: true }).waitFor();
      await page.keyboard.press('Control+Enter');
      await page.getByText('Nothing more can be saved in it.').waitFor();
      await deliverLease();
      expect(await page.getByText('Nothing more can be saved in it.').isVisible()).toBe(true);
      await page.getByText('0 done by you here').waitFor();
      expect(gates.faults).toEqual([]);
      await context.close();
    });

    it('shows what the server refuses at its field, after a metric has changed', async () => {
      const ids = await seedAnswers(stack, { from: 4_000, count: 1 });
      const stars = await api.metric('stars', { scale: 5 });
      const queue = await api.queue({ name: 'changed', event_ids: ids, metric_ids: [stars] });
      const { page, context } = await startWork(queue, 'anna');
      await question(page, 0);
      await page.keyboard.press('5');
      await api.call('PUT', `/v1/metrics/${stars}`, { scale: 3 });
      await page.keyboard.press('Control+Enter');
      await page.getByText('must be from 1 to 3', { exact: true }).waitFor();
      await saved(page, /^Not saved: metrics.stars must be from 1 to 3/);
      await page.getByRole('radio').nth(3).waitFor({ state: 'detached' });
      await page.keyboard.press('3');
      await page.keyboard.press('Control+Enter');
      await saved(page, /^Saved /);
      await context.close();
    });

    it('releases the leases of a tab that closes', async () => {
      const ids = await seedAnswers(stack, { from: 5_000, count: 3 });
      const filterArray = [
        { field: 'event_name', operator: 'contains', value: 'of no event', type: 'string' },
      ];
      const fields = { event_ids: ids, metric_ids: [correct], filters: { filterArray } };
      const queue = await api.queue({ name: 'closing', ...fields });
      const { page, context } = await startWork(queue, 'anna');
      await question(page, 0);
      await page.getByText('Why here: event_name contains of no event').waitFor();
      while ((await api.items(queue)).counts['leased'] !== 2)
        await page.evaluate('new Promise(requestAnimationFrame)');
      await page.close({ runBeforeUnload: true });
      while ((await api.items(queue)).counts['leased'] !== 0);
      expect((await api.items(queue)).counts).toMatchObject({ pending: 3 });
      await context.close();
    });

    it(`labels ${BOOLEANS} items from two browsers, none twice, with two keys each`, async () => {
      const ids = await seedAnswers(stack, { from: 10_000, count: BOOLEANS });
      const queue = await api.queue({ name: 'hundred', event_ids: ids, metric_ids: [correct] });
      const people = await Promise.all(['anna', 'bert'].map((name) => startWork(queue, name)));
      const worked = await Promise.all(people.map(({ page }) => labelAll(page)));
      const seen = worked.flatMap(({ items }) => items);
      expect(seen.length).toBe(BOOLEANS);
      expect(new Set(seen).size).toBe(BOOLEANS);
      const keys = worked.reduce((sum, one) => sum + one.keys, 0);
      process.stdout.write(
        `${BOOLEANS} items without a pause, ${keys} keys, next item p95 ${p95(worked).toFixed(0)} ms\n`,
      );
      expect(keys / BOOLEANS).toBeLessThanOrEqual(3);
      // The last answers are under way when nothing is left to show; only what is done before a request is in its scores.
      while ((await api.items(queue, 'done')).counts['done'] !== BOOLEANS);
      const { events, counts } = await api.items(queue, 'done');
      expect(counts).toMatchObject({ done: BOOLEANS, pending: 0 });
      expect(events.every(({ event }) => event?.metrics['correct'] === true)).toBe(true);
      for (const { gates, context } of people) {
        expect(gates.faults).toEqual([]);
        await context.close();
      }
    });

    it('shows the next item, which is leased ahead, to two people who read', async () => {
      const ids = await seedAnswers(stack, { from: 20_000, count: READ });
      const queue = await api.queue({ name: 'read', event_ids: ids, metric_ids: [correct] });
      const people = await Promise.all(['anna', 'bert'].map((name) => startWork(queue, name)));
      const worked = await Promise.all(people.map(({ page }) => labelAll(page, requestsOf(page).ended)));
      const seen = worked.flatMap(({ items }) => items);
      expect(new Set(seen).size).toBe(READ);
      process.stdout.write(`${READ} items that are read, next item p95 ${p95(worked).toFixed(0)} ms\n`);
      for (const { gates, context } of people) {
        expect(gates.faults).toEqual([]);
        await context.close();
      }
    });

    /** Deletes an event, and returns when it cannot be read any more. */
    async function deleteEvent(id: string): Promise<void> {
      await api.call('DELETE', `/v1/events/${id}`);
      await expect(api.call('GET', `/v1/events/${id}/evaluations`)).rejects.toThrow(/404/);
    }

    /** Answers yes until no item is open, each time after `read`. */
    async function labelAll(page: Page, read = () => Promise.resolve()): Promise<Labelled> {
      const items: string[] = [];
      const times: number[] = [];
      let keys = 0;
      for (;;) {
        const start = performance.now();
        const before = items.at(-1);
        const next = await page.evaluate<string>(nextQuestion(before));
        if (next === NONE_OPEN) return { items, times, keys };
        if (before !== undefined) times.push(performance.now() - start);
        items.push(next);
        await read();
        await page.keyboard.press('y');
        await page.keyboard.press('Control+Enter');
        keys += 2;
      }
    }
  });
});

interface Labelled {
  readonly items: readonly string[];
  /** How long each next item took to appear, in milliseconds. */
  readonly times: readonly number[];
  readonly keys: number;
}

function p95(worked: readonly Labelled[]): number {
  const times = worked.flatMap((one) => one.times).sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? 0;
}

/** Follows the requests of a page. `ended` resolves when none is under way, as a person reads for longer than they take. */
function requestsOf(page: Page): { ended: () => Promise<void> } {
  const open = new Set<Request>();
  const waiting: (() => void)[] = [];
  const onEnd = (request: Request) => {
    open.delete(request);
    if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
  };
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', onEnd).on('requestfailed', onEnd);
  return {
    ended: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
