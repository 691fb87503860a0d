import type { Page } from 'playwright-core';

/**
 * Holds the nth response to requests of a path (a glob) back from the page. The function that is returned delivers it, and resolves once the
 * page has drawn what it makes of it.
 */
export async function holdResponse(page: Page, path: string, nth: number): Promise<() => Promise<void>> {
  let deliver!: () => void;
  let onDelivered!: () => void;
  const asked = new Promise<void>((resolve) => (deliver = resolve));
  const delivered = new Promise<void>((resolve) => (onDelivered = resolve));
  let requests = 0;
  await page.route(path, async (route) => {
    if (++requests !== nth) return route.continue();
    const response = await route.fetch();
    await asked;
    await route.fulfill({ response });
    onDelivered();
  });
  return async () => {
    deliver();
    await delivered;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  };
}
