import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { repository } from '../stack/repository.js';
import { Gates } from './gates.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** Without these, the browser looks up hosts of its maker. */
export const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
/** Longer than a loaded machine needs for any step. */
const PATIENCE_MS = 45_000;

export type Theme = 'light' | 'dark';

/** A page of a new profile, with what it must never do. */
export interface ConsolePage {
  readonly page: Page;
  readonly gates: Gates;
  readonly context: BrowserContext;
}

/** Starts the browser of `CHROMIUM_PATH`, or the one on the PATH. @throws Error when there is none: nothing is skipped */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: FLAGS });
}

/** Returns the program of the browser. @throws Error when there is none */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH ?? findChromium();
  if (path === undefined)
    throw new Error('Chromium is not installed: apt-get install chromium, or set CHROMIUM_PATH');
  return path;
}

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Opens a page in a profile of its own. */
export async function openPage(
  browser: Browser,
  baseUrl: string,
  theme: Theme = 'light',
): Promise<ConsolePage> {
  const context = await browser.newContext({
    ...{ baseURL: baseUrl, colorScheme: theme, viewport: { width: 1440, height: 900 } },
    ...{
      permissions: ['clipboard-read', 'clipboard-write'],
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const gates = await Gates.of(context, baseUrl);
  return { page: await context.newPage(), context, gates };
}

/** Saves a picture of the page in `reports/console`, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = join(repository, 'reports/console');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
