import type { Page } from 'playwright-core';

/** Signs in with a key on the page that asks for one, and returns the id of the project once the list is on the screen. */
export async function signInWithKey(page: Page, key: string): Promise<string> {
  await page.goto('/console/');
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/console\/p\/[^/]+\/sessions/);
  return projectOf(page);
}

export function projectOf(page: Page): string {
  const [, project] = /\/console\/p\/([^/]+)\//.exec(page.url()) ?? [];
  if (project === undefined) throw new Error(`no project in ${page.url()}`);
  return project;
}

/** Waits until a list has drawn at least one row. */
export const firstRow = (page: Page) => page.locator('.grid-body .grid-row').first().waitFor();
