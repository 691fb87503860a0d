import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { lengthOf, sliceText, strip } from '../values/code-points.js';
import { isTruthy, numericOf, stringOf } from '../values/compare.js';
import { itemsOf, sizeOf } from '../values/iterate.js';
import { jsonText } from '../values/json-text.js';
import { fixedText } from '../values/number-text.js';
import { formatPercent } from '../values/printf.js';
import { escapeHtml, textOf } from '../values/text.js';
import { Dict, Markup, Tuple, refuseUndefined, typeName, type Value } from '../values/value.js';
import type { FilterFunction } from './builtin.js';
import { capitalize, center, replaceText, splitLines, strippedCharacters } from './text-operations.js';
import { percentEncode } from './url-text.js';
import { wrapWords } from './wrap-words.js';
import { stripTags } from './strip-tags.js';

/** A filter on the text of its subject. */
function onText(change: (text: string) => string): FilterFunction {
  return (subject, args, { budget }) => {
    bind(args, [], 'the filter');
    const text = textOf(subject, budget);
    budget.text(text.length);
    budget.characters(text.length);
    const changed = change(text);
    budget.text(changed.length);
    return subject instanceof Markup ? new Markup(changed) : changed;
  };
}

const titleCase = (text: string): string =>
  text
    .split(/([-\s({[<]+)/)
    .map((word) => {
      const first = sliceText(word, 0, 1);
      return first.toUpperCase() + word.slice(first.length).toLowerCase();
    })
    .join('');

/** The text of a subject that must be a string. */
function textSubject(subject: Value, filter: string): string {
  refuseUndefined(subject);
  const text = stringOf(subject);
  if (text === undefined) throw new TemplateError(`${filter} needs a string, not '${typeName(subject)}'`);
  return text;
}

const truncate: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['length', 'killwords', 'end', 'leeway'], 'truncate');
  const length = bound.integer('length', 255);
  const end = bound.text('end', '...');
  budget.scan(end.length);
  const leeway = bound.value('leeway', null) === null ? 5 : bound.integer('leeway');
  if (length < lengthOf(end)) throw new TemplateError('the length of truncate is shorter than its end');
  if (leeway < 0) throw new TemplateError('the leeway of truncate is negative');
  if (sizeOf(subject, budget) <= length + leeway) return subject;
  const text = textSubject(subject, 'truncate');
  budget.text(Math.min(text.length, length * 2 + end.length));
  const cut = sliceText(text, 0, length - lengthOf(end));
  const lastSpace = isTruthy(bound.value('killwords', false)) ? -1 : cut.lastIndexOf(' ');
  return (lastSpace < 0 ? cut : cut.slice(0, lastSpace)) + end;
};

const indent: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['width', 'first', 'blank'], 'indent');
  const text = textSubject(subject, 'indent');
  const width = bound.value('width', 4n);
  const size = typeof width === 'bigint' ? Math.max(0, Number(width)) : 0;
  budget.text(size + text.length);
  const space = stringOf(width) ?? ' '.repeat(size);
  const lines = splitLines(`${text}\n`);
  budget.text(text.length + space.length * (lines.length + 1));
  const indentsBlank = isTruthy(bound.value('blank', false));
  const indented = lines.map((line, index) =>
    index > 0 && (indentsBlank || line !== '') ? space + line : line,
  );
  return (isTruthy(bound.value('first', false)) ? space : '') + indented.join('\n');
};

const format: FilterFunction = (subject, args, { budget }) => {
  if (args.positional.length > 0 && args.named.size > 0)
    throw new TemplateError('format takes either positional or named arguments');
  const values = args.named.size > 0 ? namedValues(args.named, budget) : new Tuple(args.positional);
  return formatPercent(textOf(subject, budget), values, budget);
};

function namedValues(named: ReadonlyMap<string, Value>, budget: Budget): Dict {
  const dict = new Dict();
  for (const [name, value] of named) dict.set(name, value, budget);
  return dict;
}

const replace: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['old', 'new', 'count'], 'replace');
  const count = bound.value('count', null) === null ? -1 : bound.integer('count');
  const [old, next] = [textOf(bound.required('old'), budget), textOf(bound.required('new'), budget)];
  return replaceText({ text: textOf(subject, budget), old, next, count }, budget);
};

const tojson: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['indent'], 'tojson');
  const width = bound.value('indent', null);
  if (width !== null && typeof width !== 'bigint')
    throw new TemplateError("'indent' of tojson must be an integer");
  if (width !== null) budget.text(Math.max(0, Number(width)));
  return new Markup(jsonText(subject, width === null ? undefined : Math.max(0, Number(width)), budget));
};

const urlencode: FilterFunction = (subject, args, { budget }) => {
  bind(args, [], 'urlencode');
  const isPairs = typeof subject === 'object' && subject !== null && !(subject instanceof Markup);
  if (!isPairs) return percentEncode(textOf(subject, budget), '/', budget);
  const pairs =
    subject instanceof Dict
      ? Array.from(subject.pairs())
      : itemsOf(subject, budget).map((pair) => pairOf(pair, budget));
  const encode = (value: Value) => percentEncode(textOf(value, budget), '', budget).replaceAll('%20', '+');
  return pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
};

function pairOf(item: Value, budget: Budget): readonly [Value, Value] {
  const [key, value, ...rest] = itemsOf(item, budget);
  if (key === undefined || value === undefined || rest.length > 0)
    throw new TemplateError('urlencode needs pairs');
  return [key, value];
}

const UNITS = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

const filesizeformat: FilterFunction = (subject, args) => {
  const isBinary = isTruthy(bind(args, ['binary'], 'filesizeformat').value('binary', false));
  refuseUndefined(subject);
  const bytes = Number(numericOf(subject) ?? stringOf(subject)?.slice(0, 400) ?? NaN);
  if (Number.isNaN(bytes)) throw new TemplateError('filesizeformat needs a number');
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const index = Math.min(
    UNITS.length - 1,
    UNITS.findIndex((_unit, power) => bytes < base ** (power + 1)),
  );
  const power = index < 0 ? UNITS.length - 1 : index;
  const unit = isBinary ? `${(UNITS[power] as string).toUpperCase()}i` : UNITS[power];
  return `${fixedText(bytes / base ** power, 1)} ${unit}B`;
};

export const TEXT_FILTERS: Readonly<Record<string, FilterFunction>> = {
  capitalize: onText(capitalize),
  center: (subject, args, { budget }) =>
    center(textOf(subject, budget), { width: bind(args, ['width'], 'center').integer('width', 80) }, budget),
  escape: (subject, _args, { budget }) => new Markup(escapeHtml(subject, budget)),
  filesizeformat,
  forceescape: (subject, _args, { budget }) => new Markup(escapeHtml(textOf(subject, budget), budget)),
  format,
  indent,
  lower: onText((text) => text.toLowerCase()),
  replace,
  safe: (subject, _args, { budget }) => new Markup(textOf(subject, budget)),
  string: (subject, _args, { budget }) => (subject instanceof Markup ? subject : textOf(subject, budget)),
  striptags: onText(stripTags),
  title: onText(titleCase),
  tojson,
  trim: (subject, args, { budget }) => {
    const text = textOf(subject, budget);
    budget.scan(text.length);
    return strip(text, strippedCharacters(text, bind(args, ['chars'], 'trim'), budget));
  },
  truncate,
  upper: onText((text) => text.toUpperCase()),
  urlencode,
  wordcount: (subject, args, { budget }) => {
    bind(args, [], 'wordcount');
    const text = textOf(subject, budget);
    budget.text(text.length);
    budget.characters(text.length);
    return BigInt(text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0);
  },
  wordwrap: wrapWords,
};
