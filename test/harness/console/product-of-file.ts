import type { Browser } from 'playwright-core';
import type { Stack } from '../stack/stack.js';
import { openBrowser } from './browser.js';
import { startWithConsole } from './seeded-product.js';

/** What the tests of a file work with, once the first of them runs. */
export interface Opened {
  readonly product: Stack;
  readonly browser: Browser;
}

/**
 * Starts one product and one browser for all tests of the `describe` that calls it, and ends them after the last one. Parts of it are apart
 * by {@link newProject}, and their pages by the profile that each of them has. An address may sign in ten times a minute: a file that signs in
 * more often needs more products.
 */
export function productOfFile(): Opened {
  const opened: { product?: Stack; browser?: Browser } = {};
  beforeAll(async () => {
    [opened.product, opened.browser] = await Promise.all([startWithConsole(), openBrowser()]);
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.product?.stop();
  });
  return opened as Opened;
}

/** Makes a project without anything, and returns the product as the owner of this project sees it: `apiKey` is a key of it. */
export async function newProject(product: Stack, name: string): Promise<Stack> {
  const response = await fetch(`${product.baseUrl}/v1/projects`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${product.adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`the project was refused: ${response.status} ${await response.text()}`);
  const { api_key: apiKey } = (await response.json()) as { api_key: string };
  return { ...product, apiKey };
}
