import type { Page } from 'playwright-core';

/** Makes a key on Start, and returns each program of the page as its button copies it, and the key. The page of Start is open. */
export async function copySnippets(
  page: Page,
): Promise<{ key: string; snippets: ReadonlyMap<string, string> }> {
  await page.getByRole('button', { name: 'Make a key for sending' }).click();
  const key = (await page.locator('.key-box code').textContent()) ?? '';
  const snippets = new Map<string, string>();
  for (const name of ['curl', 'Python', 'TypeScript', 'Collector']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByLabel(`${name} program`).waitFor();
    await page.getByRole('button', { name: /^Cop(?:y|ied)$/ }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    snippets.set(name, await page.evaluate<string>('navigator.clipboard.readText()'));
  }
  return { key, snippets };
}
