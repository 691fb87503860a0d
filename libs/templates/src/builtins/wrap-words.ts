import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { lengthOf, unitOffset } from '../values/code-points.js';
import { isTruthy, stringOf } from '../values/compare.js';
import type { FilterFunction } from './builtin.js';
import { splitLines } from './text-operations.js';

const AFTER_HYPHEN = /(?<=[\p{L}_]{2}-|[\p{L}_]-[\p{L}_]-)(?=[\p{L}_]-?[\p{L}_])/u;

/** Wraps each line at a width. Source: `textwrap.TextWrapper` of CPython. */
export const wrapWords: FilterFunction = (subject, args, { budget }) => {
  const parameters = ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'];
  const bound = bind(args, parameters, 'wordwrap');
  const text = stringOf(subject);
  if (text === undefined) throw new TemplateError('wordwrap needs a string');
  budget.text(text.length);
  const width = bound.integer('width', 79);
  if (width <= 0) throw new TemplateError("'width' of wordwrap must be at least 1");
  const newline = bound.optionalText('wrapstring') ?? '\n';
  const options = {
    width,
    breaksWords: isTruthy(bound.value('break_long_words', true)),
    breaksHyphens: isTruthy(bound.value('break_on_hyphens', true)),
  };
  const wrapped = splitLines(text).map((line) => wrapLine(line, options, budget));
  budget.text(text.length + newline.length * wrapped.flat().length);
  return wrapped.map((lines) => lines.join(newline)).join(newline);
};

interface WrapOptions {
  readonly width: number;
  readonly breaksWords: boolean;
  readonly breaksHyphens: boolean;
}

/** Part of a line that is not broken unless it is longer than a line. Cutting its start off reads only what is cut. */
class Chunk {
  private constructor(
    private readonly text: string,
    /** Offset of the last character that is no white space. */
    private readonly lastInk: number,
    private readonly start: number,
    /** Code points. */
    readonly length: number,
  ) {}

  static of(text: string): Chunk {
    return new Chunk(text, text.trimEnd().length - 1, 0, lengthOf(text));
  }

  get isBlank(): boolean {
    return this.start > this.lastInk;
  }

  toString(): string {
    return this.start === 0 ? this.text : this.text.slice(this.start);
  }

  /** The first characters. */
  head(length: number): string {
    return this.text.slice(this.start, unitOffset(this.text, length, this.start));
  }

  /** What is behind the first characters. */
  rest(length: number): Chunk {
    return new Chunk(
      this.text,
      this.lastInk,
      unitOffset(this.text, length, this.start),
      this.length - length,
    );
  }
}

function wrapLine(line: string, options: WrapOptions, budget: Budget): string[] {
  const words = line.split(/([\t\n\v\f\r ]+)/).filter((chunk) => chunk !== '');
  const parts = options.breaksHyphens ? words.flatMap((word) => word.split(AFTER_HYPHEN)) : words;
  budget.visit(parts.length);
  const chunks = parts.map((part) => Chunk.of(part)).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    budget.step();
    if (lines.length > 0 && chunks.at(-1)?.isBlank) chunks.pop();
    const current = takeLine(chunks, options, budget);
    if (current.length > 0) lines.push(current.join(''));
  }
  return lines;
}

function takeLine(chunks: Chunk[], options: WrapOptions, budget: Budget): Chunk[] {
  const current: Chunk[] = [];
  let length = 0;
  for (let next = chunks.at(-1); next && length + next.length <= options.width; next = chunks.at(-1)) {
    budget.step();
    current.push(next);
    chunks.pop();
    length += next.length;
  }
  const next = chunks.at(-1);
  if (next && next.length > options.width) breakWord(chunks, current, options.width - length, options);
  if (current.at(-1)?.isBlank) current.pop();
  return current;
}

/** Cuts a word that is longer than a line. */
function breakWord(chunks: Chunk[], current: Chunk[], space: number, options: WrapOptions): void {
  const word = chunks.pop() as Chunk;
  if (!options.breaksWords) {
    if (current.length === 0) current.push(word);
    else chunks.push(word);
    return;
  }
  const room = Math.max(space, 1);
  const head = word.head(room);
  const hyphen = word.length > room && options.breaksHyphens ? head.lastIndexOf('-') : -1;
  const isCut = hyphen > 0 && /[^-]/.test(head.slice(0, hyphen));
  const cut = isCut ? lengthOf(head.slice(0, hyphen)) + 1 : room;
  current.push(Chunk.of(isCut ? head.slice(0, hyphen + 1) : head));
  chunks.push(word.rest(cut));
}
