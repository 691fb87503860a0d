import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { violationsOfThemes } from '../harness/console/axe.js';
import { openBrowser, openPage, picture } from '../harness/console/browser.js';
import { seedTraces, startWithConsole } from '../harness/console/seeded-product.js';
import { QueueApi, seedAnswers } from '../harness/console/seeded-queue.js';
import { firstRow, projectOf } from '../harness/console/sign-in.js';
import { startIdentityProvider, type IdentityProvider } from '../harness/identity/start-identity-provider.js';
import type { Stack } from '../harness/stack/stack.js';

const PEOPLE = { ada: { groups: ['team'], email: 'ada@example.com' }, nina: { groups: [] } };
const LINK = 'Sign in with your company’s account';

describe("signing in with the company's account", () => {
  let folder: string;
  let provider: IdentityProvider;
  let stack: Stack;
  let browser: Browser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-company-'));
    const file = join(folder, 'groups.json');
    writeFileSync(file, JSON.stringify({ team: { '*': 'owner' } }));
    provider = await startIdentityProvider(PEOPLE);
    const settings = {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'assay', OIDC_GROUPS_FILE: file },
      ...{ OIDC_CLIENT_ID: 'console', OIDC_SCOPES: 'openid email groups' },
    };
    [stack, browser] = await Promise.all([startWithConsole(settings), openBrowser()]);
    await seedTraces(stack, 5);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await provider?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened() {
    const all = await openPage(browser, stack.baseUrl);
    all.gates.provoke(new RegExp(`^request to another host: ${provider.issuer}/`));
    return all;
  }
  const signInAtProvider = async (page: Page, name: string) => {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it('leads to the list that was asked for, as the person, who is the annotator, and out again', async () => {
    const api = new QueueApi(stack);
    await api.metric('correct', { return_type: 'boolean' });
    await seedAnswers(stack, { from: 1_000, count: 1 });
    const { page, gates, context } = await opened();
    await page.goto('/console/');
    await page.getByRole('link', { name: LINK }).waitFor();
    await picture(page, 'company-sign-in-light');
    expect(await violationsOfThemes(page)).toEqual([]);
    await page.getByRole('link', { name: LINK }).click();
    await signInAtProvider(page, 'ada');
    await firstRow(page);
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/p\/[^/]+\/sessions$/);
    const project = projectOf(page);

    await page.goto(`/console/p/${project}/events`);
    await firstRow(page);
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'New annotation queue' });
    await dialog.getByLabel('Name', { exact: true }).fill('of ada');
    await dialog.getByRole('button', { name: 'Create the queue' }).click();
    await page.waitForURL(/\/queues\/[0-9a-f]+\?job=/);
    const queue = new URL(page.url()).pathname;
    await page.goto(`${queue}/work`);
    await page.getByText('as ada_example_com').waitFor();
    expect(await page.getByRole('button', { name: 'as ada_example_com' }).count()).toBe(0);

    await page.getByRole('button', { name: /^Project / }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: LINK }).waitFor();
    await page.goto(`${queue}/work`);
    await page.getByRole('link', { name: LINK }).waitFor();
    await page.getByRole('link', { name: LINK }).click();
    await signInAtProvider(page, 'ada');
    await page.getByText('as ada_example_com').waitFor();
    expect(new URL(page.url()).pathname).toBe(`${queue}/work`);
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('says why an account is not let in, and that it was cancelled', async () => {
    const { page, gates, context } = await opened();
    for (const [name, sentence] of [
      ['nina', 'Your account has no access to a project.'],
      ['', 'was cancelled'],
    ] as const) {
      await page.goto('/console/');
      await page.getByRole('link', { name: LINK }).click();
      await signInAtProvider(page, name);
      await page.getByRole('alert').getByText(sentence).waitFor();
    }
    await page.goto('/console/sign-in?problem=%3Cb%3Eno%3C/b%3E');
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('asks again when the session has ended, in another tab, and keeps what was typed', async () => {
    const { page, gates, context } = await opened();
    await page.goto('/console/');
    await page.getByRole('link', { name: LINK }).click();
    await signInAtProvider(page, 'ada');
    await firstRow(page);
    await page.getByLabel('Search inputs and outputs').fill('half a sentence');
    await context.clearCookies({ name: '__Host-assay' });
    await page.locator('.grid-head button').first().click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText('Your session has ended.').waitFor();
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      dialog.getByRole('link', { name: LINK }).click(),
    ]);
    await signInAtProvider(tab, 'ada');
    await firstRow(tab);
    await dialog.waitFor({ state: 'detached' });
    await firstRow(page);
    expect(await page.getByLabel('Search inputs and outputs').inputValue()).toBe('half a sentence');
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});
