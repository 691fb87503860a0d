import type { Page, Request } from 'playwright-core';

const isStatus = (request: Request) => request.url().endsWith('/v1/status');

/** What a page that is followed asks for while nothing arrives. */
export interface LiveTab {
  readonly seconds: number;
  readonly requests: number;
  /** Paths of the requests that are no look at the counter. */
  readonly others: readonly string[];
}

/** Watches a page from a look at the counter of the project until some looks later. The page is drawn and has read what was new. */
export async function watchLiveTab(page: Page, looks: number): Promise<LiveTab> {
  const look = () => page.waitForRequest(isStatus);
  await look();
  const asked: string[] = [];
  const note = (request: Request) => asked.push(new URL(request.url()).pathname);
  const startedAt = performance.now();
  page.on('request', note);
  for (let nth = 0; nth < looks; nth++) await look();
  page.off('request', note);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, requests: asked.length, others: asked.filter((path) => path !== '/v1/status') };
}
