import type { Page } from 'playwright-core';
import type { Stack } from '../stack/stack.js';
import { agentSession, largeSession, longSession, sendEvents, SESSIONS } from './seeded-sessions.js';
import { seedDiff } from './seeded-runs.js';
import { seedTraces } from './seeded-product.js';

export const LONG_SESSION = 5_000;
export const LISTED = 300;

/** A screen that is heavy for the main thread, and the longest task that it may need. */
export interface HeavyScreen {
  readonly name: string;
  readonly path: string;
  readonly maxTaskMs: number;
  /** Resolves once it is drawn and was worked with. */
  readonly use: (page: Page) => Promise<void>;
}

/** Sends what the heavy screens show, and returns these. */
export async function seedHeavyScreens(stack: Stack): Promise<(project: string) => readonly HeavyScreen[]> {
  await seedTraces(stack, LISTED);
  await sendEvents(stack, [...agentSession(), ...longSession(SESSIONS.long, LONG_SESSION)]);
  await sendEvents(stack, largeSession());
  const { newRun, oldRun } = await seedDiff(stack);
  return (project) => {
    const at = (path: string) => `/console/p/${project}/${path}`;
    return [
      { name: 'list', path: at('sessions'), maxTaskMs: 150, use: useList },
      {
        ...{ name: `session of ${LONG_SESSION} events`, maxTaskMs: 150, use: useTree },
        path: at(`sessions/${SESSIONS.long}?view=tree`),
      },
      {
        ...{ name: 'payload of 10 MB', maxTaskMs: 100, use: usePayload },
        path: at(`sessions/${SESSIONS.large}?view=raw&part=output`),
      },
      {
        ...{ name: 'diff of 20 KB', maxTaskMs: 100, use: useDiff },
        path: at(`compare/${newRun}/${oldRun}`),
      },
    ];
  };
}

async function useList(page: Page): Promise<void> {
  await page.locator('.grid-body .grid-row').first().waitFor();
  await page.evaluate('document.querySelector(".grid-scroller").scrollTo(0, 1e9)');
  await page.locator('.grid-foot', { hasText: /^200 \// }).waitFor();
}

async function useTree(page: Page): Promise<void> {
  await page.getByText(`of ${(LONG_SESSION + 1).toLocaleString('en')}`).waitFor();
  await page.keyboard.press('e');
  await page.locator('[role="row"][aria-selected="true"]', { hasText: 'step 799' }).waitFor();
}

async function usePayload(page: Page): Promise<void> {
  await page.getByText('[64,000]').waitFor();
  await page.getByRole('button', { name: 'rows' }).click();
  await page.getByText('{3}').first().waitFor();
}

async function useDiff(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'New output' }).locator('ins').first().waitFor();
}
