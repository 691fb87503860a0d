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

/** The list of all of them, with those of one language and day in one item. */
export function checkedList(libraries: readonly CheckedLibrary[]): string {
  const titleOf = ({ language, checked, isRecorded }: CheckedLibrary) =>
    `${language}, ${isRecorded ? 'recorded, ' : ''}${checked}`;
  const nameOf = ({ name, version, with: traced }: CheckedLibrary) =>
    `\`${name}\` ${version}${traced === undefined ? '' : ` with ${traced}`}`;
  const items = [...new Set(libraries.map(titleOf))].map((title) => {
    const names = libraries.filter((library) => titleOf(library) === title).map(nameOf);
    return `- **${title}**: ${names.join(', ')}`;
  });
  return `## Libraries that were checked\n\n${INTRO}\n\n${items.join('\n')}`;
}

const INTRO = `The tests run these libraries unmodified against a server that plays the model provider; of "recorded" ones they send the requests of a real run.
The date is that of the last check. A convention whose section names no library is mapped as its documentation says.`;

/** The line of one convention, empty if it was checked with no library. */
export function checkedLine({ name }: Convention, libraries: readonly CheckedLibrary[]): string {
  const found = libraries.filter(({ conventions }) => conventions.includes(name));
  if (found.length === 0) return '';
  const names = found.map((library) => `\`${library.name}\``);
  return `Checked with ${[...new Set(names)].join(', ')}.`;
}
