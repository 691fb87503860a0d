import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { violationsOf } from '../harness/console/axe.js';
import { openBrowser, openPage, picture, type Theme } from '../harness/console/browser.js';
import { calibrate } from '../harness/console/calibration.js';
import { EVIL } from '../harness/console/hostile-data.js';
import { longestTaskOf } from '../harness/console/longest-task.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { QueueApi } from '../harness/console/seeded-queue.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const LARGE = '90071992547409931';
const MB = 1_000_000;
const MAX_TASK_MS = 100;
const MAX_HEAP_GROWTH = 60 * MB;
const ROUNDS = 3;
/** A page that reads a file itself fails the test. */
const REPORT_READING = `for (const name of ['arrayBuffer', 'bytes', 'slice', 'stream', 'text']) {
  const read = Blob.prototype[name];
  Blob.prototype[name] = function (...parts) {
    console.error('file read: ' + name);
    return read.apply(this, parts);
  };
}`;

describe('rows of a file', () => {
  let stack: Stack;
  let browser: Browser;
  let api: QueueApi;
  const folder = mkdtempSync(join(tmpdir(), 'assay-import-'));

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    api = new QueueApi(stack);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const fileOf = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const newDataset = async (name: string) =>
    (await api.call<{ result: { insertedId: string } }>('POST', '/v1/datasets', { name })).result.insertedId;
  const datapointsOf = async (id: string) =>
    (await api.call<{ datapoints: object[] }>('GET', `/v1/datasets/${id}/datapoints`)).datapoints;
  const questionsOf = async (id: string) => {
    interface Page {
      readonly datapoints: readonly { readonly inputs: { readonly question: string } }[];
      readonly next_cursor: string | null;
    }
    const questions: string[] = [];
    let cursor = '';
    do {
      const path = `/v1/datasets/${id}/datapoints?limit=500${cursor && `&cursor=${cursor}`}`;
      const page = await api.call<Page>('GET', path);
      questions.push(...page.datapoints.map(({ inputs }) => inputs.question));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    return questions;
  };
  const openImport = async (page: Page, project: string, id: string) => {
    await page.goto(`/console/p/${project}/datasets/${id}`);
    await page.getByRole('button', { name: 'Add rows of a file' }).click();
    return page.getByRole('dialog', { name: 'Add rows of a file' });
  };

  it.each<Theme>(['light', 'dark'])(
    'of a CSV file become datapoints with the parts that were chosen, and broken lines are named, in %s',
    async (theme) => {
      const id = await newDataset(`csv ${theme}`);
      const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
      const project = await signInWithKey(page, stack.apiKey);
      const dialog = await openImport(page, project, id);
      const lines = [
        `\ufeff"question";answer;tier`,
        `"Where; ""is"" it?\r\nNow?";here;gold`,
        `${EVIL};=HYPERLINK("x");`,
        'lonely;row',
        'last;one;gold',
      ];
      await dialog
        .getByLabel(/^CSV with a line of names/)
        .setInputFiles(fileOf('rows.csv', lines.join('\r\n')));
      await dialog.getByText('rows.csv: 3 rows, and 1 line is left out.').waitFor();
      await dialog.getByText('line 5: 2 cells instead of 3').waitFor();
      await dialog.getByLabel('Part for tier').selectOption('metadata');
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `import-${theme}`);
      await dialog.getByRole('button', { name: 'Add 3 rows' }).click();
      await dialog.getByText('3 rows are in the dataset.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByText('3 / 3 datapoints').waitFor();
      expect(await datapointsOf(id)).toMatchObject([
        {
          inputs: { question: 'Where; "is" it?\r\nNow?' },
          ground_truth: { answer: 'here' },
          metadata: { tier: 'gold' },
        },
        { inputs: { question: EVIL }, ground_truth: { answer: '=HYPERLINK("x")' } },
        { inputs: { question: 'last' }, ground_truth: { answer: 'one' }, metadata: { tier: 'gold' } },
      ]);
      expect(gates.faults).toEqual([]);
      await context.close();
    },
  );

  it('of JSON lines that are pasted keep every digit', async () => {
    const id = await newDataset('jsonl');
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const dialog = await openImport(page, project, id);
    await dialog
      .getByLabel('Or paste rows')
      .fill(`{"inputs":{"n":${LARGE}},"ground_truth":{"ok":true}}\n[1]\n`);
    await dialog.getByRole('button', { name: 'Read the pasted rows' }).click();
    await dialog.getByText('The text: 1 row, and 1 line is left out.').waitFor();
    await dialog.getByText('line 2: not a JSON object').waitFor();
    await dialog.getByRole('button', { name: 'Add 1 row', exact: true }).click();
    await dialog.getByText('1 row is in the dataset.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: `{"n":${LARGE}}` }).waitFor();
    await context.close();
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['is empty', '', /empty\.csv: 0 rows, so that there is nothing to add/],
    ['has a quote without an end', 'a\n"b', /line 2: a quote has no end/],
    ['is UTF-16', Buffer.from('\ufeffa;b\n1;2\n', 'utf16le'), /not UTF-8/],
    ['has 5,001 columns', `${'a,'.repeat(5_000)}b\n`, /5001 columns are more than 5000/],
  ])('are not read from a file that %s', async (_what, content, text) => {
    const id = await newDataset('refused');
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const dialog = await openImport(page, project, id);
    await dialog.getByLabel(/^CSV with a line of names/).setInputFiles(fileOf('empty.csv', content));
    await dialog.getByText(text).waitFor();
    await context.close();
  });

  it('of more than 100 MB are refused, and nothing of the file is read', async () => {
    const path = fileOf('huge.csv', 'question,answer\n');
    truncateSync(path, 100 * MB + 1);
    const id = await newDataset('huge');
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    await page.addInitScript({ content: REPORT_READING });
    const project = await signInWithKey(page, stack.apiKey);
    const dialog = await openImport(page, project, id);
    await dialog.getByLabel(/^CSV with a line of names/).setInputFiles(path);
    await dialog.getByRole('alert').getByText('huge.csv is larger than 100 MB').waitFor();
    expect([page.workers().length, gates.faults]).toEqual([0, []]);
    await picture(page, 'import-refused-light');
    await dialog
      .getByLabel(/^CSV with a line of names/)
      .setInputFiles(fileOf('small.csv', 'question,answer\na,b\n'));
    await dialog.getByText('small.csv: 1 row.').waitFor();
    expect(page.workers()).toHaveLength(1);
    await context.close();
  });

  it('are sent again after a request that failed, and none is there twice', async () => {
    const rows = Array.from({ length: 1_201 }, (_, nth) => `question ${nth}`);
    const id = await newDataset('continued');
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    gates.provoke(/ERR_FAILED/);
    const project = await signInWithKey(page, stack.apiKey);
    const dialog = await openImport(page, project, id);
    await dialog
      .getByLabel(/^CSV with a line of names/)
      .setInputFiles(fileOf('continued.csv', `question\n${rows.join('\n')}\n`));
    let requests = 0;
    await page.route(`**/v1/datasets/${id}/datapoints`, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      requests++;
      // The second one is stored, and its response is lost. The fourth one does not arrive.
      if (requests === 2) await route.fetch();
      if (requests === 2) return route.abort();
      return requests === 4
        ? route.fulfill({ status: 503, json: { message: 'the store is unreachable' } })
        : route.fallback();
    });
    await dialog.getByRole('button', { name: 'Add 1,201 rows' }).click();
    await dialog.getByText('500 / 1,201 rows sent').waitFor();
    const problem = dialog.getByRole('alert');
    await problem.getByText('Lines 502 to 1,001 may not have been added: the server cannot be').waitFor();
    expect(await questionsOf(id)).toEqual(rows.slice(0, 1_000));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await problem.getByText('Lines 1,002 to 1,202 may not have been added: the store is').waitFor();
    await dialog.getByText('1,000 / 1,201 rows sent').waitFor();
    expect(await questionsOf(id)).toEqual(rows.slice(0, 1_000));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('1,201 rows are in the dataset.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('50 / 1,201 datapoints').waitFor();
    expect(await questionsOf(id)).toEqual(rows);
    expect(requests).toBe(5);
    await context.close();
  });

  it('of 20 MB are read beside the page, and an upload that is cancelled leaves what was sent', async () => {
    const row = (nth: number) => `question ${nth} ${'x'.repeat(170)},answer ${nth}\n`;
    const path = fileOf(
      'large.csv',
      `question,answer\n${Array.from({ length: 100_000 }, (_, nth) => row(nth)).join('')}`,
    );
    const id = await newDataset('large');
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    const { factor } = calibrate();
    const session = await context.newCDPSession(page);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    let best = Infinity;
    for (let round = 0; round < ROUNDS && best > MAX_TASK_MS * factor; round++) {
      const dialog = await openImport(page, project, id);
      const before = await heap();
      const read = async () => {
        await dialog.getByLabel(/^CSV with a line of names/).setInputFiles(path);
        await dialog.getByText('large.csv: 100,000 rows.').waitFor();
      };
      best = Math.min(best, (await longestTaskOf(browser, page, read)).cpuMs);
      expect((await heap()) - before).toBeLessThan(MAX_HEAP_GROWTH);
    }
    process.stdout.write(`longest task, 20 MB of CSV: ${best.toFixed(0)} ms\n`);
    expect(best).toBeLessThanOrEqual(MAX_TASK_MS * factor);
    // The third request waits, so that the person cancels while it is under way.
    let requests = 0;
    await page.route(`**/v1/datasets/${id}/datapoints`, (route) =>
      route.request().method() === 'PUT' && ++requests > 2 ? undefined : route.fallback(),
    );
    const dialog = page.getByRole('dialog', { name: 'Add rows of a file' });
    await dialog.getByRole('button', { name: 'Add 100,000 rows' }).click();
    await dialog.getByText(/^1,000 \/ 100,000 rows sent$/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/^50 \/ [\d,]+ datapoints/).waitFor();
    const { total } = await api.call<{ total: number }>('GET', `/v1/datasets/${id}/datapoints?limit=1`);
    expect(total).toBe(1_000);
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});
