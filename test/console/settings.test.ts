import type { Browser, Page } from 'playwright-core';
import { violationsOf, violationsOfThemes } from '../harness/console/axe.js';
import { openBrowser, openPage, picture, type Theme } from '../harness/console/browser.js';
import { EVIL } from '../harness/console/hostile-data.js';
import { unmarkedTexts } from '../harness/console/hidden-characters.js';
import { startWithConsole } from '../harness/console/seeded-product.js';
import { signInWithKey } from '../harness/console/sign-in.js';
import type { Stack } from '../harness/stack/stack.js';

const HOSTILE = `${EVIL} \u202egnp.exe 😀`;
const MB = 1024 * 1024;

let stack: Stack;
let browser: Browser;

/** An address may sign in ten times a minute, so each part has a process of its own. */
const onProduct = () => {
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });
};

const openSettings = async (page: Page) => {
  const project = await signInWithKey(page, stack.apiKey);
  await page.keyboard.press('g');
  await page.keyboard.press(',');
  await page.waitForURL(/\/settings\/keys$/);
  return project;
};

describe('settings', () => {
  onProduct();

  /** Makes a key in the page and returns its text. */
  const makeKey = async (page: Page, name: string, rights: string): Promise<string> => {
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('radio', { name: new RegExp(`^${rights}:`) }).check();
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.waitFor({ state: 'detached' });
    return (await page.locator('.settings-secret code').textContent()) ?? '';
  };

  it.each<Theme>(['light', 'dark'])(
    'list the keys, make one, show its text once and revoke it, without violations of WCAG 2.2 in %s colours',
    async (theme) => {
      const { page, gates, context } = await openPage(browser, stack.baseUrl, theme);
      await openSettings(page);
      await page.getByRole('row').filter({ hasText: '(this session)' }).getByText('owner').waitFor();
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('radio', { name: /^annotator:/ }).check();
      await page.getByText('queues:write', { exact: false }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `settings-new-key-${theme}`);
      await page.getByRole('button', { name: 'Cancel' }).click();

      const text = await makeKey(page, HOSTILE, 'viewer');
      expect(text).toMatch(/^hh_fgdp_/);
      const row = page.getByRole('row').filter({ hasText: 'onerror' });
      await row.getByText('viewer').waitFor();
      await row.locator('.hidden-character').first().waitFor({ state: 'attached' });
      expect(await unmarkedTexts(page)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `settings-keys-${theme}`);

      await page.reload();
      await row.waitFor();
      expect(await page.content()).not.toContain(text);
      await row.getByRole('button', { name: /^Revoke/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
      await row.waitFor({ state: 'detached' });
      const used = await fetch(`${stack.baseUrl}/v1/projects`, {
        headers: { Authorization: `Bearer ${text}` },
      });
      expect(used.status).toBe(401);
      expect(gates.faults).toEqual([]);
      await context.close();
    },
  );

  it('say which permission a viewer lacks, and the server refuses what is forced', async () => {
    const owner = await openPage(browser, stack.baseUrl);
    await openSettings(owner.page);
    const viewer = await makeKey(owner.page, 'a viewer', 'viewer');
    await owner.context.close();

    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, viewer);
    await page.goto(`/console/p/${project}/settings/keys`);
    await page.getByText('The key of this session may not make or revoke keys (keys:write).').waitFor();
    await page.getByText('may not read the list of keys (keys:read)').waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).isDisabled()).toBe(true);
    const forced = await page.evaluate(
      async (id) =>
        (
          await fetch(`/v1/projects/${id}/fine_grained_api_keys`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'Assay-Project': id },
            body: '{"permissions":[]}',
          })
        ).status,
      project,
    );
    expect(forced).toBe(403);
    await context.close();
  });

  it('warn before the key of the session, which is the last owner, is revoked, and ask for a key afterwards', async () => {
    const made = await fetch(`${stack.baseUrl}/v1/projects`, {
      ...{ method: 'POST', body: JSON.stringify({ name: 'left alone' }) },
      headers: { Authorization: `Bearer ${stack.adminToken}`, 'Content-Type': 'application/json' },
    });
    const { api_key: key } = (await made.json()) as { api_key: string };
    const { page, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, key);
    await page.goto(`/console/p/${project}/settings/keys`);
    await page.getByRole('button', { name: /^Revoke/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('revoking it signs you out of this project').waitFor();
    await dialog.getByText('the last key of the project that may do everything').waitFor();
    const revoke = dialog.getByRole('button', { name: 'Revoke', exact: true });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByLabel('Type “revoke” to confirm').fill('revoke');
    await revoke.click();
    await page.getByLabel('API key').waitFor();
    await context.close();
  });

  it('say what holds for the project, and change how the console looks, in light and in dark colours', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    await openSettings(page);
    await page.getByRole('link', { name: 'Project', exact: true }).click();
    await page.getByText('as the installation says').waitFor();
    await page.getByText('The project may send').waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Appearance' }).click();
    await page.getByLabel('dark', { exact: true }).check();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByLabel('as the system').check();
    expect(await violationsOfThemes(page, (theme) => picture(page, `settings-appearance-${theme}`))).toEqual(
      [],
    );
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});

describe('administration', () => {
  onProduct();

  const unlock = async (page: Page, token: string) => {
    await page.getByLabel("The administrator's token").fill(token);
    await page.getByRole('button', { name: 'Unlock administration' }).click();
  };

  it('is unlocked with the token, for projects, data planes and the audit trail, in light and in dark', async () => {
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const project = await openSettings(page);
    await page.goto(`/console/p/${project}/settings/administration`);
    await unlock(page, stack.apiKey);
    await page.getByText("This is not the administrator's token of this process.").waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    await unlock(page, stack.adminToken);
    await page.getByText('No data plane has a token of its own.').waitFor();
    const projects = page.getByRole('region', { name: 'Projects' });
    await projects.getByText(project).waitFor();
    await projects.getByLabel('New project').fill(HOSTILE);
    await projects.getByRole('button', { name: 'Add' }).click();
    await projects.getByText(/^hh_fgdp_/).waitFor();
    await projects.getByRole('row').filter({ hasText: 'onerror' }).waitFor();
    const audit = page.getByRole('region', { name: 'Audit trail' });
    await audit.getByLabel('Only this action').fill('project.created');
    await audit.getByRole('row').filter({ hasText: 'administrator' }).first().waitFor();
    expect(
      await violationsOfThemes(page, (theme) => picture(page, `settings-administration-${theme}`)),
    ).toEqual([]);
    await page.getByRole('button', { name: 'Lock now' }).click();
    await page.getByText('are for the administrator of the installation').waitFor();
    const locked = await page.evaluate(
      async () => (await fetch('/v1/audit-entries', { headers: { 'Assay-Administration': 'true' } })).status,
    );
    expect(locked).toBe(403);
    expect(gates.faults).toEqual([]);
    await context.close();
  });

  it('has dead letters on the page of health, replays and deletes them', async () => {
    const send = async (method: string, path: string, body: object) =>
      fetch(`${stack.baseUrl}${path}`, {
        ...{ method, body: JSON.stringify(body) },
        headers: { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
      });
    const event = { event_type: 'tool', event_name: 'large', inputs: {}, start_time: 1, end_time: 2 };
    const { event_id: id } = (await (await send('POST', '/v1/events', event)).json()) as { event_id: string };
    // One event with its updates has at most 16 MB: the third update cannot be stored.
    for (const name of ['a', 'b', 'c']) {
      const body = { metadata: { [name]: 'x'.repeat(7 * MB) } };
      while ((await send('PUT', `/v1/events/${id}`, body)).status === 429);
    }
    const { page, gates, context } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    await page.goto(`/console/p/${project}/health`);
    const part = page.getByRole('region', { name: 'Dead letters' });
    await part.getByText('are for the administrator of the installation').waitFor();
    await unlock(page, stack.adminToken);
    const row = part.getByRole('row').filter({ hasText: 'EVENT_TOO_LARGE' });
    while (!(await row.isVisible())) {
      await page.reload();
      await part
        .getByText(/There are none|EVENT_TOO_LARGE/)
        .first()
        .waitFor();
    }
    await row.getByText('this one').waitFor();
    await page.getByRole('status').getByText('One record was not processed: dead letters.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await picture(page, 'health-dead-letters');
    await part.getByRole('button', { name: 'Replay 1' }).click();
    await page.getByText('1 replayed').waitFor();
    // The cause is still there: the replayed record fails again.
    do {
      await page.reload();
      await part
        .getByText(/There are none|EVENT_TOO_LARGE/)
        .first()
        .waitFor();
    } while (!(await row.isVisible()));
    await part.getByRole('button', { name: 'Delete 1 …' }).click();
    await part.getByText('Their records are lost.').waitFor();
    await part.getByRole('button', { name: 'Delete 1 permanently' }).click();
    await part.getByText('There are none: every record was processed.').waitFor();
    await page.getByText('One record was not processed').waitFor({ state: 'detached' });
    expect(await page.getByText('Dead letters are not known').count()).toBe(0);
    expect(gates.faults).toEqual([]);
    await context.close();
  });
});
