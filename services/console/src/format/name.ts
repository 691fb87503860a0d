/** What the API names a session that has no name of its own. */
export const UNNAMED = 'unknown';

/** Characters of a name that are text; the tooltip has all. */
const MAX_SHOWN = 300;

/**
 * A name on one line: what draws nothing is text as a symbol, and marks that turn the direction of the text around it are left
 * out. An empty name is text as such.
 */
export function printName(name: string): string {
  if (name === '') return '""';
  const text = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\u0000-\u001f]/g, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)))
    .replace(/\u007f/g, '␡');
}
