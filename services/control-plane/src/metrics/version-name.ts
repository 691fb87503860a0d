/** Versions are named by their number: `v1` is the oldest. */
export function versionName(number: number): string {
  return `v${number}`;
}

/** The number of a version, from 1; undefined when this is no name of a version. */
export function versionNumber(name: string): number | undefined {
  const [, digits] = /^v([1-9]\d{0,6})$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
