/** What the API names a session that has no name of its own. */
export const UNNAMED = 'unknown';

/** Characters of a name that are text; the tooltip has all. */
const MAX_SHOWN = 300;

/**
 * A name on one line: tabs and ends of lines are symbols. An empty name is text as such. What else draws nothing is marked where it is
 * drawn, see `text/`.
 */
export function printName(name: string): string {
  if (name === '') return '""';
  const text = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
  return text.replace(/[\t\n\r]/g, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)));
}
