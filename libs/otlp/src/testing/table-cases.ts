import type { Convention } from '../conventions/rule.js';

/** An attribute, where it must be found in the event, and as what. */
export type TableCase = readonly [key: string, value: unknown, path: string, expected: unknown];

/** Keys of a convention's table that no case speaks of. A family is spoken of by any of its members. */
export function untestedKeys(convention: Convention, cases: readonly TableCase[]): string[] {
  const tested = cases.map(([key]) => key);
  return convention.rules
    .map((rule) => rule.key)
    .filter(
      (key) =>
        !tested.some((known) => (key.endsWith('.*') ? known.startsWith(key.slice(0, -1)) : known === key)),
    );
}
