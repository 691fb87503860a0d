import { networkInterfaces } from 'node:os';
import { describeWhere } from '@assay/testing';
import type { Browser } from 'playwright-core';
import { openBrowser, openPage } from '../harness/console/browser.js';
import { takeFaults } from '../harness/console/gates.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import type { Stack } from '../harness/stack/stack.js';

const APART = {
  missing:
    process.env.LOOPBACK_ONLY === 'true'
      ? undefined
      : 'npm run test:console, on a machine with ip that allows network namespaces',
};

describeWhere({ describe, it }, 'the network of the suite', APART, () => {
  it('is loopback alone', () => {
    expect(Object.keys(networkInterfaces())).toEqual(['lo']);
  });
});

/** The checks that every other test of the console relies on. */
describe('the gates of the suite', () => {
  let stack: Stack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  it.each([
    ['a picture of another host', `new Image().src = 'http://127.0.0.1:9/pixel.png'`, /another host/],
    ['a program as text', `new Function('return 1')()`, /policy violated: require-trusted-types-for/],
    ['text as HTML', `document.body.insertAdjacentHTML('beforeend', '<p>text</p>')`, /TrustedHTML/],
    ['an error in the console', `console.error('something failed')`, /something failed/],
    ['an exception that nothing catches', `setTimeout(() => { throw new Error('lost') })`, /lost/],
  ])('find %s', async (_what, program, fault) => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    await page.goto('/console/');
    await page.getByLabel('API key').waitFor();
    await page.evaluate(`setTimeout(() => { ${program} })`);
    while (!gates.faults.some((one) => fault.test(one)))
      await page.evaluate('new Promise(requestAnimationFrame)');
    expect(takeFaults()).toEqual(gates.faults);
    await context.close();
  });
});
