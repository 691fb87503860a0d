import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage } from '../harness/console/browser.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import { copySnippets } from '../harness/console/snippets.js';
import { EngineProcess } from '../harness/engines/engine-process.js';
import { freePort } from '../harness/stack/free-port.js';
import type { Stack } from '../harness/stack/stack.js';
import { collectorBinary, pythonWith } from './packages/client-packages.js';

const WITH_INSTALLATION_MS = 900_000;

/** `npm run test:console` runs the others, which need no package from a registry. */
describe('the programs of Start that need packages', () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let snippets: ReadonlyMap<string, string>;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
    ({ page } = await openPage(browser, stack.baseUrl));
    const project = await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${project}/start`);
    ({ snippets } = await copySnippets(page));
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const arrived = (count: number) =>
    page
      .getByRole('link', { name: 'Open it' })
      .nth(count - 1)
      .waitFor();

  it(
    'in Python sends a trace',
    async () => {
      const file = join(stack.dir, 'snippet.py');
      writeFileSync(file, snippets.get('Python') ?? '');
      await promisify(execFile)(await pythonWith('instrumentations'), [file]);
      await arrived(1);
    },
    WITH_INSTALLATION_MS,
  );

  it(
    'configures a Collector, which sends on what it receives',
    async () => {
      const binary = await collectorBinary();
      const file = join(stack.dir, 'snippet.yaml');
      writeFileSync(file, snippets.get('Collector') ?? '');
      const port = await freePort();
      const settings = [
        `receivers::otlp::protocols::http::endpoint=127.0.0.1:${port}`,
        'service::telemetry::metrics::level=none',
      ].map((setting) => `--set=${setting}`);
      const collector = await EngineProcess.start({
        ...{
          name: 'the Collector',
          file: binary,
          args: ['--config', file, ...settings],
          startWithinMs: 60_000,
        },
        isReady: (output) => Promise.resolve(output.includes('Everything is ready')),
      });
      try {
        const response = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
          ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
          body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }),
        });
        expect(response.status).toBe(200);
        await arrived(2);
      } finally {
        await collector.end('SIGTERM');
      }
    },
    WITH_INSTALLATION_MS,
  );
});

const SPAN = {
  ...{ traceId: 'c'.repeat(32), spanId: 'c'.repeat(16), name: 'through a Collector' },
  ...{ startTimeUnixNano: `${Date.now() - 1_000}000000`, endTimeUnixNano: `${Date.now()}000000` },
};
