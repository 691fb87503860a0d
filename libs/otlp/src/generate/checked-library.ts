import type { Convention } from '../conventions/rule.js';

/** A library that the tests run unmodified, or whose recorded spans they send. */
export interface CheckedLibrary {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  /** Names of the conventions that its spans follow. */
  readonly conventions: readonly string[];
  /** Day on which this version was the newest, `2026-11-26`. */
  readonly checked: string;
  /** Library that it traces, with its version; absent if it traces itself. */
  readonly with?: string;
  /** Whether its spans are recorded ones. */
  readonly isRecorded?: boolean;
}

/** The list of all of them. */
export function checkedList(libraries: readonly CheckedLibrary[]): string {
  const items = libraries.map(({ name, version, with: traced, language, checked, isRecorded }) => {
    const traces = traced === undefined ? '' : ` with ${traced}`;
    return `- \`${name}\` ${version}${traces}: ${language}, ${isRecorded ? 'recorded, ' : ''}${checked}`;
  });
  return `## Libraries that were checked\n\n${INTRO}\n\n${items.join('\n')}`;
}

const INTRO = `The tests run these libraries unmodified against a server that plays the model provider, with the exporter that they bring or the stock one;
of "recorded" ones they send the requests of a real run. The date is the day of the last check. A convention whose section names no library was checked with
none, and is mapped as its documentation says.`;

/** The line of one convention, empty if it was checked with no library. */
export function checkedLine({ name }: Convention, libraries: readonly CheckedLibrary[]): string {
  const found = libraries.filter(({ conventions }) => conventions.includes(name));
  if (found.length === 0) return '';
  const names = found.map((library) => `\`${library.name}\``);
  return `Checked with ${[...new Set(names)].join(', ')}.`;
}
