import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Theme } from './browser.js';

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/** Returns what violates WCAG 2.2 A and AA on the page, one line for each element. */
export async function violationsOf(page: Page): Promise<string[]> {
  // By the protocol of the browser: a script element would be refused by the policy. A page that has it keeps it.
  if (!(await page.evaluate<boolean>(`typeof axe === 'object'`))) await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] });
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, ${options}).then((result) => result.violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  );
}

const THEMES: readonly Theme[] = ['light', 'dark'];

/**
 * Returns what violates the rules on the page as it stands, in light colours and in dark ones: each line names its colours.
 * @param look is called in each of them, after the check
 */
export async function violationsOfThemes(
  page: Page,
  look: (theme: Theme) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const found: string[] = [];
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    found.push(...(await violationsOf(page)).map((line) => `${theme}: ${line}`));
    await look(theme);
  }
  return found;
}
