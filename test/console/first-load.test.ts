import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, openPage } from '../harness/console/browser.js';
import { seedTraces, startWithConsole } from '../harness/console/seeded-product.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import { repository } from '../harness/stack/repository.js';

const dist = join(repository, 'services/console/dist');
const KB = 1_000;
/** The one script of the editor of code. */
const EDITOR = /^code-mirror-[\w-]+\.js\.gz$/;

/** What the first load and each further screen cost, in bytes and requests. */
describe('the size of the console', () => {
  it('is at most 3 MB on disk with its compressed copies, a third of it the editor', () => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const bytes = files.map((file) => statSync(join(dist, file))).filter((stat) => stat.isFile());
    expect(bytes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(3_000 * KB);
  });

  it('has at most 20 direct dependencies, with those that build it', () => {
    const manifest = readFileSync(join(repository, 'services/console/package.json'), 'utf8');
    const { dependencies } = JSON.parse(manifest) as { dependencies: Readonly<Record<string, string>> };
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(20);
  });

  it('asks for the counts of the histogram once the rows are there', async () => {
    const [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    try {
      await seedTraces(stack, 20);
      const { page, context, gates } = await openPage(browser, stack.baseUrl);
      await signInWithKey(page, stack.apiKey);
      const fresh = await context.newPage();
      const counted = fresh.waitForResponse((response) => response.url().includes('/v1/events/chart'));
      await Promise.all([fresh.goto('/console/'), firstRow(fresh), counted]);
      const [rows, counts] = await Promise.all(['page', 'chart'].map((route) => timesOf(fresh, route)));
      expect(counts!.startTime).toBeGreaterThanOrEqual(rows!.responseEnd);
      expect(gates.faults).toEqual([]);
    } finally {
      await browser.close();
      await stack.stop();
    }
  });

  it('is at most 240 KB in gzip, 205 in brotli, and 8 requests and 3 of the API, for a signed-in person who sees the list', async () => {
    const [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    try {
      await seedTraces(stack, 20);
      const { page, context, gates } = await openPage(browser, stack.baseUrl);
      await signInWithKey(page, stack.apiKey);
      const fresh = await context.newPage();
      const requests: string[] = [];
      fresh.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await fresh.goto('/console/');
      await firstRow(fresh);
      const files = requests.filter((path) => path.startsWith('/console/') && path !== '/console/session');
      const ofApi = requests.filter((path) => !files.includes(path));
      const size = (ending: string) => sum([...new Set(files)].map((path) => sizeOf(path, ending)));
      process.stdout.write(
        `first load: ${size('.gz')} B gzip, ${size('.br')} B brotli, ${files.length} files, ${ofApi.length} API requests\n`,
      );
      expect([files.length <= 8, ofApi.length <= 3]).toEqual([true, true]);
      expect(size('.gz')).toBeLessThanOrEqual(240 * KB);
      expect(size('.br')).toBeLessThanOrEqual(205 * KB);
      expect(size('.gz')).toBeGreaterThan(50 * KB);
      expect(gates.faults).toEqual([]);
    } finally {
      await browser.close();
      await stack.stop();
    }
  });

  it('is at most 60 KB in gzip for each script that a further screen loads', () => {
    const scripts = readdirSync(join(dist, 'assets')).filter(
      (name) => /\.js\.gz$/.test(name) && !name.startsWith('index-') && !EDITOR.test(name),
    );
    const sizes = scripts.map((name) => [name, statSync(join(dist, 'assets', name)).size] as const);
    expect(sizes.filter(([, size]) => size > 60 * KB)).toEqual([]);
    expect(sizes.length).toBeGreaterThan(2);
  });

  it('is at most 230 KB in gzip for the editor of code, which is one script of its own', () => {
    const editors = readdirSync(join(dist, 'assets')).filter((name) => EDITOR.test(name));
    expect(editors).toHaveLength(1);
    const [size = Infinity] = editors.map((name) => statSync(join(dist, 'assets', name)).size);
    process.stdout.write(`editor: ${size} B gzip\n`);
    expect(size).toBeLessThanOrEqual(230 * KB);
    expect(size).toBeGreaterThan(50 * KB);
  });
});

/** When the page asked for a route of events and had its response, in milliseconds since the page began. */
async function timesOf(page: Page, route: string): Promise<{ startTime: number; responseEnd: number }> {
  const timing = await page.waitForFunction<{ startTime: number; responseEnd: number } | undefined>(
    `performance.getEntriesByType('resource').find(({ name }) => name.includes('/v1/events/${route}'))?.toJSON()`,
  );
  return timing.jsonValue() as Promise<{ startTime: number; responseEnd: number }>;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** A deep address is the page itself. */
function sizeOf(path: string, ending: string): number {
  const file = join(dist, path.slice('/console/'.length));
  const isFile = path.startsWith('/console/assets/');
  return statSync(`${isFile ? file : join(dist, 'index.html')}${ending}`).size;
}
