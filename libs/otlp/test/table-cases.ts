import type { Convention } from '../src/conventions/rule.js';

/** An attribute, its expected location in the event, and its expected value. */
export type TableCase = readonly [key: string, value: unknown, path: string, expected: unknown];

/** Keys of a convention that no test case covers. Any member covers its family. */
export function untestedKeys(convention: Convention, cases: readonly TableCase[]): string[] {
  const tested = cases.map(([key]) => key);
  return convention.rules
    .map((rule) => rule.key)
    .filter(
      (key) =>
        !tested.some((known) => (key.endsWith('.*') ? known.startsWith(key.slice(0, -1)) : known === key)),
    );
}
