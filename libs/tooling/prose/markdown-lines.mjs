/** Longest line of a Markdown file, in characters. */
export const MAX_MARKDOWN_LINE = 160;
/** Code is one word: a break inside it would be read as a space. */
const WORDS = /(?:`[^`]*`|[^\s`])+/g;
const FENCE = /^\s*(?:```|~~~)/;
/** A line that does not continue the one before: it is empty, a heading, a row or an item. */
const BEGINNING = /^(?:#|\||\s*$|\s*(?:-|\d+\.) )/;
const ITEM = /^\s*(?:-|\d+\.) /;

/** Returns the numbers of lines that are too long. Code in fences counts not, nor does a line of one word: they cannot be broken. */
export function longLines(text) {
  return readLines(text)
    .filter(({ line, isCode }) => !isCode && line.length > MAX_MARKDOWN_LINE && line.match(WORDS).length > 1)
    .map(({ number }) => number);
}

/** Breaks the paragraphs and items of a generated document between words. */
export function wrapMarkdown(text) {
  const blocks = [];
  for (const { line, isCode } of readLines(text)) {
    const last = blocks.at(-1);
    const continues = !isCode && !BEGINNING.test(line) && last !== undefined && last.isText;
    if (continues) last.text += ` ${line.trim()}`;
    else blocks.push({ text: line, isText: !isCode && !/^(?:#|\||\s*$)/.test(line) });
  }
  return blocks.map(({ text: block, isText }) => (isText ? wrapped(block) : block)).join('\n');
}

function readLines(text) {
  let inFence = false;
  return text.split('\n').map((line, index) => {
    const isFence = FENCE.test(line);
    if (isFence) inFence = !inFence;
    return { line, number: index + 1, isCode: inFence || isFence };
  });
}

function wrapped(block) {
  const [start] = ITEM.exec(block) ?? [''];
  const lines = [];
  for (const [word] of block.slice(start.length).matchAll(WORDS)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= MAX_MARKDOWN_LINE)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${lines.length === 0 ? start : ' '.repeat(start.length)}${word}`);
  }
  return lines.join('\n');
}
