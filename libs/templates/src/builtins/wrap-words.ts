import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { lengthOf, sliceText } from '../values/code-points.js';
import { isTruthy } from '../values/compare.js';
import { textOf } from '../values/text.js';
import type { FilterFunction } from './builtin.js';
import { splitLines } from './text-operations.js';

const AFTER_HYPHEN = /(?<=[\p{L}_]{2}-|[\p{L}_]-[\p{L}_]-)(?=[\p{L}_]-?[\p{L}_])/u;

/** Wraps each line at a width. Source: `textwrap.TextWrapper` of CPython. */
export const wrapWords: FilterFunction = (subject, args, { budget }) => {
  const parameters = ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'];
  const bound = bind(args, parameters, 'wordwrap');
  const text = textOf(subject, budget);
  budget.text(text.length);
  const width = bound.integer('width', 79);
  if (width <= 0) throw new TemplateError("'width' of wordwrap must be at least 1");
  const newline = bound.optionalText('wrapstring') ?? '\n';
  const options = {
    width,
    breaksWords: isTruthy(bound.value('break_long_words', true)),
    breaksHyphens: isTruthy(bound.value('break_on_hyphens', true)),
  };
  const wrapped = splitLines(text).map((line) => wrapLine(line, options, () => budget.step()));
  budget.text(text.length + newline.length * wrapped.flat().length);
  return wrapped.map((lines) => lines.join(newline)).join(newline);
};

interface WrapOptions {
  readonly width: number;
  readonly breaksWords: boolean;
  readonly breaksHyphens: boolean;
}

const isBlank = (chunk: string | undefined) => chunk !== undefined && chunk.trim() === '';

function wrapLine(line: string, options: WrapOptions, step: () => void): string[] {
  const words = line.split(/([\t\n\v\f\r ]+)/).filter((chunk) => chunk !== '');
  const chunks = options.breaksHyphens ? words.flatMap((word) => word.split(AFTER_HYPHEN)) : words;
  chunks.reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    step();
    if (lines.length > 0 && isBlank(chunks.at(-1))) chunks.pop();
    const current = takeLine(chunks, options, step);
    if (current.length > 0) lines.push(current.join(''));
  }
  return lines;
}

function takeLine(chunks: string[], options: WrapOptions, step: () => void): string[] {
  const current: string[] = [];
  let length = 0;
  while (chunks.length > 0 && length + lengthOf(chunks.at(-1) as string) <= options.width) {
    step();
    const chunk = chunks.pop() as string;
    current.push(chunk);
    length += lengthOf(chunk);
  }
  const next = chunks.at(-1);
  if (next !== undefined && lengthOf(next) > options.width)
    breakWord(chunks, current, options.width - length, options);
  if (isBlank(current.at(-1))) current.pop();
  return current;
}

/** Cuts a word that is longer than a line. */
function breakWord(chunks: string[], current: string[], space: number, options: WrapOptions): void {
  const word = chunks.pop() as string;
  if (!options.breaksWords) {
    if (current.length === 0) current.push(word);
    else chunks.push(word);
    return;
  }
  const room = Math.max(space, 1);
  const hyphen = lengthOf(word) > room ? sliceText(word, 0, room).lastIndexOf('-') : -1;
  const cut = options.breaksHyphens && hyphen > 0 && /[^-]/.test(word.slice(0, hyphen)) ? hyphen + 1 : room;
  current.push(sliceText(word, 0, cut));
  chunks.push(sliceText(word, cut, Infinity));
}
