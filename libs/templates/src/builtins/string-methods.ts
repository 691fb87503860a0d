import { CASE_COST, type Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { bind, type Bound } from '../values/arguments.js';
import { charactersOf, lengthOf, splitWords, strip } from '../values/code-points.js';
import { isTruthy, stringOf } from '../values/compare.js';
import { itemsOf } from '../values/iterate.js';
import { findFirst, findLast, splitAt } from '../values/search-text.js';
import { sliceOf } from '../values/subscript.js';
import { List, Tuple, typeName, type Value } from '../values/value.js';
import type { MethodFunction } from './builtin.js';
import { formatMethod } from './format-method.js';
import {
  capitalize,
  center,
  replaceText,
  splitLines,
  strippedCharacters,
  titleWords,
} from './text-operations.js';

type StringMethod = MethodFunction<string>;
type MethodBody = (text: string, bound: Bound, budget: Budget) => Value;

function method(parameters: readonly string[], body: MethodBody): StringMethod {
  return (text, args, budget) => {
    budget.scan(text.length);
    return body(text, bind(args, parameters, 'the method'), budget);
  };
}

function changed(change: (text: string) => string): StringMethod {
  return method([], (text, _bound, budget) => {
    budget.text(text.length * 2);
    budget.characters(text.length);
    return change(text);
  });
}

function check(accepts: (text: string) => boolean): StringMethod {
  return method([], (text, _bound, budget) => {
    budget.scan(CASE_COST * text.length);
    return accepts(text);
  });
}

const split = (fromRight: boolean) =>
  method(['sep', 'maxsplit'], (text, bound, budget) => {
    const limit = bound.integer('maxsplit', -1);
    const separator = bound.optionalText('sep');
    if (separator === '') throw new TemplateError('the separator of split is empty');
    budget.text(text.length);
    const parts = separator === undefined ? splitWords(text) : splitAt(text, separator, budget);
    budget.items(parts.length);
    if (limit < 0 || parts.length <= limit + 1) return new List(parts);
    return new List(
      separator === undefined
        ? cutWords(text, parts, limit, fromRight)
        : cut(parts, limit, separator, fromRight),
    );
  });

function cut(parts: readonly string[], limit: number, separator: string, fromRight: boolean): string[] {
  const border = fromRight ? parts.length - limit : limit;
  const [start, end] = [parts.slice(0, border), parts.slice(border)];
  return fromRight ? [start.join(separator), ...end] : [...start, end.join(separator)];
}

/** Keeps the white space inside the rest that is not split. */
function cutWords(text: string, words: readonly string[], limit: number, fromRight: boolean): string[] {
  const taken = fromRight ? words.slice(words.length - limit).reverse() : words.slice(0, limit);
  let rest = strip(text);
  for (const word of taken)
    rest = fromRight
      ? strip(rest.slice(0, rest.length - word.length), undefined, 'right')
      : strip(rest.slice(word.length), undefined, 'left');
  return fromRight ? [rest, ...taken.reverse()] : [...taken, rest];
}

/** Part of the text that `start` and `end` select, and the code points before it. */
function range(text: string, bound: Bound, budget: Budget): { part: string; offset: number } {
  const bounds = { start: bound.value('start', null), stop: bound.value('end', null), step: null };
  if (bounds.start === null && bounds.stop === null) return { part: text, offset: 0 };
  const length = lengthOf(text);
  const start = bounds.start === null ? 0 : bound.integer('start');
  const part = stringOf(sliceOf(text, bounds, budget)) as string;
  return { part, offset: Math.min(length, start < 0 ? Math.max(0, start + length) : start) };
}

function find(fromRight: boolean, isRequired: boolean): StringMethod {
  return method(['sub', 'start', 'end'], (text, bound, budget) => {
    const { part, offset } = range(text, bound, budget);
    const sub = bound.text('sub');
    const at = fromRight ? findLast(part, sub, budget) : findFirst(part, sub, budget);
    if (at < 0 && isRequired) throw new TemplateError('substring not found');
    return at < 0 ? -1n : BigInt(offset + lengthOf(part.slice(0, at)));
  });
}

function affix(matches: (text: string, affix: string) => boolean): StringMethod {
  return method(['affix', 'start', 'end'], (text, bound, budget) => {
    const { part } = range(text, bound, budget);
    const given = bound.required('affix');
    const options = given instanceof Tuple ? given.items : [given];
    return options.some((option) => {
      const wanted = stringOf(option);
      if (wanted === undefined) throw new TemplateError(`expected a string, not '${typeName(option)}'`);
      budget.scan(wanted.length + 1);
      return matches(part, wanted);
    });
  });
}

const partition = (fromRight: boolean) =>
  method(['sep'], (text, bound, budget) => {
    const separator = bound.text('sep');
    if (separator === '') throw new TemplateError('the separator of partition is empty');
    const at = fromRight ? findLast(text, separator, budget) : findFirst(text, separator, budget);
    if (at < 0) return new Tuple(fromRight ? ['', '', text] : [text, '', '']);
    return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  });

const justify = (side: 'left' | 'right') =>
  method(['width', 'fillchar'], (text, bound, budget) => {
    const missing = Math.max(0, bound.integer('width') - lengthOf(text));
    const fill = fillCharacter(bound);
    budget.text(text.length + missing * fill.length);
    return side === 'left' ? text + fill.repeat(missing) : fill.repeat(missing) + text;
  });

function fillCharacter(bound: Bound): string {
  const fill = bound.text('fillchar', ' ');
  if (lengthOf(fill) !== 1) throw new TemplateError("'fillchar' must be one character");
  return fill;
}

const stripMethod = (sides: 'both' | 'left' | 'right') =>
  method(['chars'], (text, bound, budget) => strip(text, strippedCharacters(text, bound, budget), sides));

const join = method(['iterable'], (text, bound, budget) => {
  const parts = itemsOf(bound.required('iterable'), budget).map((item) => {
    const part = stringOf(item);
    if (part === undefined) throw new TemplateError(`join needs strings, not '${typeName(item)}'`);
    return part;
  });
  budget.text(parts.reduce((sum, part) => sum + part.length, text.length * parts.length));
  return parts.join(text);
});

const zfill = method(['width'], (text, bound, budget) => {
  const missing = Math.max(0, bound.integer('width') - lengthOf(text));
  budget.text(text.length + missing);
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
});

const every = (pattern: RegExp) => check((text) => pattern.test(text));
const isCased = (text: string, change: (text: string) => string, other: (text: string) => string) =>
  change(text) === text && other(text) !== text;

/** The closed table of methods of strings. */
export const STRING_METHODS: ReadonlyMap<string, StringMethod> = new Map(
  Object.entries({
    capitalize: changed(capitalize),
    casefold: changed((text) => text.toLowerCase().replaceAll('ß', 'ss')),
    center: method(['width', 'fillchar'], (text, bound, budget) =>
      center(text, { width: bound.integer('width'), fill: fillCharacter(bound) }, budget),
    ),
    count: method(['sub', 'start', 'end'], (text, bound, budget) => {
      const { part } = range(text, bound, budget);
      const sub = bound.text('sub');
      if (sub === '') return BigInt(lengthOf(part) + 1);
      budget.text(part.length);
      return BigInt(splitAt(part, sub, budget).length - 1);
    }),
    endswith: affix((text, end) => text.endsWith(end)),
    find: find(false, false),
    format: formatMethod,
    index: find(false, true),
    isalnum: every(/^[\p{L}\p{N}]+$/u),
    isalpha: every(/^\p{L}+$/u),
    isdecimal: every(/^\p{Nd}+$/u),
    isdigit: every(/^[\p{Nd}²³¹⁰-⁹₀-₉]+$/u),
    islower: check((text) =>
      isCased(
        text,
        (one) => one.toLowerCase(),
        (one) => one.toUpperCase(),
      ),
    ),
    isnumeric: every(/^\p{N}+$/u),
    isspace: check((text) => text !== '' && strip(text) === ''),
    istitle: method([], (text, _bound, budget) => {
      budget.text(text.length * 2);
      budget.characters(text.length);
      return /\p{L}/u.test(text) && titleWords(text) === text;
    }),
    isupper: check((text) =>
      isCased(
        text,
        (one) => one.toUpperCase(),
        (one) => one.toLowerCase(),
      ),
    ),
    join,
    ljust: justify('left'),
    lower: changed((text) => text.toLowerCase()),
    lstrip: stripMethod('left'),
    partition: partition(false),
    removeprefix: method(['prefix'], (text, bound) =>
      text.startsWith(bound.text('prefix')) ? text.slice(bound.text('prefix').length) : text,
    ),
    removesuffix: method(['suffix'], (text, bound) =>
      bound.text('suffix') !== '' && text.endsWith(bound.text('suffix'))
        ? text.slice(0, text.length - bound.text('suffix').length)
        : text,
    ),
    replace: method(['old', 'new', 'count'], (text, bound, budget) =>
      replaceText(
        { text, old: bound.text('old'), next: bound.text('new'), count: bound.integer('count', -1) },
        budget,
      ),
    ),
    rfind: find(true, false),
    rindex: find(true, true),
    rjust: justify('right'),
    rpartition: partition(true),
    rsplit: split(true),
    rstrip: stripMethod('right'),
    split: split(false),
    splitlines: method(['keepends'], (text, bound, budget) => {
      budget.text(text.length);
      const lines = splitLines(text, isTruthy(bound.value('keepends', false)));
      budget.items(lines.length);
      return new List(lines);
    }),
    startswith: affix((text, start) => text.startsWith(start)),
    strip: stripMethod('both'),
    swapcase: changed((text) =>
      charactersOf(text)
        .map((one) => (one.toLowerCase() === one ? one.toUpperCase() : one.toLowerCase()))
        .join(''),
    ),
    title: changed(titleWords),
    upper: changed((text) => text.toUpperCase()),
    zfill,
  }),
);
