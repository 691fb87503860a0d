const WIDTH = 158;
/** Code is one word: a break inside it would be read as a space of the name. */
const WORDS = /(?:`[^`]*`|[^\s`])+/g;

/** Breaks a text of Markdown between its words; lines after the first begin with `indent`. */
export function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  for (const [word] of text.matchAll(WORDS)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : `${indent}${word}`);
  }
  return lines.join('\n');
}
