import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { parse } from 'yaml';
import { openBrowser, openPage, picture, type ConsolePage, type Theme } from '../harness/console/browser.js';
import { copySnippets } from '../harness/console/snippets.js';
import { printedLink, startWithConsole } from '../harness/console/seeded-product.js';
import type { Stack } from '../harness/stack/stack.js';
import { repository } from '../harness/stack/repository.js';

/** From the printed link to a trace, on a product that has nothing. */
describe.each<Theme>(['light', 'dark'])('the first visit, in %s colours', (theme) => {
  let stack: Stack;
  let browser: Browser;
  let first: ConsolePage;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    first = await openPage(browser, stack.baseUrl, theme);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  it('signs in with the printed link, which leaves no code in the history', async () => {
    const { page } = first;
    await page.goto(printedLink(stack));
    await page.getByRole('heading', { name: 'Send a trace' }).waitFor();
    expect(page.url()).toMatch(/\/console\/p\/[^/]+\/start$/);
    await page.getByText('Waiting for the first trace').waitFor();
    await picture(page, `start-empty-${theme}`);
  });

  it('refuses the link in a second browser, and says how to get another one', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
    await page.goto(printedLink(stack));
    await page.getByText('This link was used before').waitFor();
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('shows what was rejected, with the field and the reason', async () => {
    const { page } = first;
    const response = await fetch(`${stack.baseUrl}/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ event_type: 'unheard-of', inputs: {} }),
    });
    expect(response.status).toBe(400);
    await page.getByText('Rejected in the last minute').waitFor();
    expect(await page.locator('.rejections').textContent()).toContain('event_type');
    const large = (bytes: number) =>
      gzipSync(JSON.stringify({ event_type: 'tool', inputs: { text: 'x'.repeat(bytes) } }), { level: 1 });
    for (const [bytes, reason] of [
      [11_000_000, 'the event must not be larger than 10 MB'],
      [53_000_000, 'body must not exceed 50 MB'],
    ] as const) {
      const tooLarge = await fetch(`${stack.baseUrl}/v1/events`, {
        ...{ method: 'POST', body: large(bytes) },
        headers: {
          ...{ Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
          'Content-Encoding': 'gzip',
        },
      });
      expect(tooLarge.status).toBe(413);
      await page
        .locator('.rejections li', { hasText: '/v1/events · 413' })
        .filter({ hasText: reason })
        .waitFor();
    }
  });

  it('has programs that send a trace as they are copied', async () => {
    const { page } = first;
    const { key, snippets } = await copySnippets(page);
    for (const [name, code] of snippets) expect([name, code]).toEqual([name, expect.stringContaining(key)]);
    expect(runShell(snippets.get('curl')!)).toBe('{}');
    runModule(snippets.get('TypeScript')!);
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: snippets.get('Python')!,
    });
    expect(parse(snippets.get('Collector')!)).toMatchObject({
      exporters: {
        'otlphttp/assay': {
          endpoint: `${stack.baseUrl}/opentelemetry`,
          headers: { authorization: `Bearer ${key}` },
        },
      },
    });
    await page.getByText('Traces arrive').waitFor();
    await page.getByRole('link', { name: 'Open it' }).nth(1).waitFor();
  });

  it('sends a sample trace, which can be opened', async () => {
    const { page, gates } = first;
    await page.getByRole('button', { name: 'Send a sample trace' }).click();
    await page.locator('.arrival', { hasText: 'Where is my refund for order 118?' }).waitFor();
    await page.getByRole('link', { name: 'Open it' }).nth(2).waitFor();
    await picture(page, `start-live-${theme}`);
    await page.getByRole('link', { name: 'Open it' }).first().click();
    await page.waitForURL(/\/sessions\/[0-9a-f-]{36}/);
    expect(gates.faults).toEqual([]);
  });
});

function runShell(program: string): string {
  return execFileSync('bash', ['-c', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** In a folder that finds the packages which the page says to install. */
function runModule(program: string): void {
  const folder = mkdtempSync(join(repository, 'test/node_modules/.snippet-'));
  try {
    const file = join(folder, 'snippet.mjs');
    writeFileSync(file, program);
    execFileSync(process.execPath, [file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
