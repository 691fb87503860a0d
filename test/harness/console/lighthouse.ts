import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { freePort } from '../stack/free-port.js';
import type { Stack } from '../stack/stack.js';
import { chromiumPath, FLAGS } from './browser.js';
import { signInWithKey } from './sign-in.js';

/** Scores of 0 to 100, and what was not perfect of accessibility and best practice. */
export interface Scores {
  readonly accessibility: number;
  readonly bestPractice: number;
  readonly performance: number;
  readonly faults: readonly string[];
}

interface Report {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<Record<string, Category | undefined>>;
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>;
}
interface Category {
  readonly score: number | null;
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
}

const CATEGORIES = ['accessibility', 'best-practices', 'performance'];
const MEGABYTES = 2 ** 20;

/** Runs Lighthouse for a desktop on pages of a signed-in person, in a browser of its own. `folder` has its package installed. */
export async function lighthouseOf(
  folder: string,
  stack: Stack,
  pagesOf: (project: string) => readonly string[],
): Promise<ReadonlyMap<string, Scores>> {
  const port = await freePort();
  // Lighthouse opens its page in the first profile of a browser, so that this one is signed in.
  const context = await chromium.launchPersistentContext('', {
    ...{ executablePath: chromiumPath(), baseURL: stack.baseUrl },
    args: [...FLAGS, `--remote-debugging-port=${port}`],
  });
  try {
    const [page = await context.newPage()] = context.pages();
    const project = await signInWithKey(page, stack.apiKey);
    const found = new Map<string, Scores>();
    for (const path of pagesOf(project)) {
      const measure = () => scoresOf(folder, port, stack.baseUrl + path);
      // On a busy machine the page may not be drawn in the time that Lighthouse waits.
      found.set(path, await measure().catch(measure));
    }
    return found;
  } finally {
    await context.close();
  }
}

async function scoresOf(folder: string, port: number, url: string): Promise<Scores> {
  const program = join(folder, 'node_modules/lighthouse/cli/index.js');
  const options = [
    ...[`--port=${port}`, '--preset=desktop', '--output=json', '--quiet', '--disable-storage-reset'],
    ...[`--only-categories=${CATEGORIES.join(',')}`, '--max-wait-for-load=120000'],
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, ...options], {
    maxBuffer: 64 * MEGABYTES,
  });
  const { runtimeError, categories, audits } = JSON.parse(stdout) as Report;
  if (runtimeError !== undefined)
    throw new Error(`Lighthouse could not read ${url}: ${runtimeError.message}`);
  const scoreOf = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const gated = CATEGORIES.slice(0, 2).flatMap((name) => categories[name]?.auditRefs ?? []);
  const faults = gated
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title ?? ''}`);
  const [accessibility = 0, bestPractice = 0, performance = 0] = CATEGORIES.map(scoreOf);
  return { accessibility, bestPractice, performance, faults };
}
