import type { Constant, Expression, Item, Slice, TupleLiteral } from './nodes.js';
import { parseArguments } from './parse-arguments.js';
import type { TokenStream } from './token-stream.js';

const CONSTANTS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};

export function parsePrimary(stream: TokenStream): Expression {
  const { type, value, line } = stream.current;
  if (type === 'name') {
    stream.next();
    return Object.hasOwn(CONSTANTS, value)
      ? constant(CONSTANTS[value] as boolean | null, line)
      : { kind: 'name', line, depth: 1, name: value };
  }
  if (type === 'string') return constant(readStrings(stream), line);
  if (type === 'integer') return constant(BigInt(stream.next().value.toLowerCase()), line);
  if (type === 'float') return constant(Number(stream.next().value), line);
  if (stream.skip('operator', '(')) {
    const tuple = stream.nested(() => parseTuple(stream, { isParenthesised: true }));
    stream.expect('operator', ')');
    return tuple;
  }
  if (stream.isOperator('[')) return stream.nested(() => parseList(stream));
  if (stream.isOperator('{')) return stream.nested(() => parseDict(stream));
  throw stream.unexpected();
}

function constant(value: Constant['value'], line: number): Constant {
  return { kind: 'constant', line, depth: 1, value };
}

/** Adjacent string literals are one string. */
function readStrings(stream: TokenStream): string {
  let text = stream.next().value;
  while (stream.is('string')) text += stream.next().value;
  return text;
}

export interface TupleOptions {
  /** Items are names and literals only, as in the target of an assignment. */
  readonly simplified?: boolean;
  readonly withoutCondition?: boolean;
  /** Names that end the tuple. */
  readonly endNames?: readonly string[];
  readonly isParenthesised?: boolean;
}

/** Items separated by commas; one item without a comma is that item. */
export function parseTuple(stream: TokenStream, options: TupleOptions = {}): Expression {
  const { line } = stream.current;
  const { expression, unconditional } = stream.grammar;
  const parseItem = options.simplified ? parsePrimary : options.withoutCondition ? unconditional : expression;
  const items: Expression[] = [];
  let isTuple = false;
  while (!isTupleEnd(stream, options.endNames)) {
    items.push(parseItem(stream));
    if (!stream.skip('operator', ',')) break;
    isTuple = true;
  }
  if (!isTuple && items.length === 1) return items[0] as Expression;
  if (!isTuple && !options.isParenthesised) throw stream.unexpected('an expression');
  return { kind: 'tuple', line, depth: stream.depthAbove(items, line), items };
}

function isTupleEnd(stream: TokenStream, endNames: readonly string[] = []): boolean {
  return (
    stream.is('variable_end') ||
    stream.is('block_end') ||
    stream.isOperator(')') ||
    stream.isName(...endNames)
  );
}

function parseList(stream: TokenStream): Expression {
  const { line } = stream.expect('operator', '[');
  const items: Expression[] = [];
  while (!stream.isOperator(']')) {
    if (items.length > 0) stream.expect('operator', ',');
    if (stream.isOperator(']')) break;
    items.push(stream.grammar.expression(stream));
  }
  stream.expect('operator', ']');
  return { kind: 'list', line, depth: stream.depthAbove(items, line), items };
}

function parseDict(stream: TokenStream): Expression {
  const { line } = stream.expect('operator', '{');
  const items: [Expression, Expression][] = [];
  while (!stream.isOperator('}')) {
    if (items.length > 0) stream.expect('operator', ',');
    if (stream.isOperator('}')) break;
    const key = stream.grammar.expression(stream);
    stream.expect('operator', ':');
    items.push([key, stream.grammar.expression(stream)]);
  }
  stream.expect('operator', '}');
  return { kind: 'dict', line, depth: stream.depthAbove(items.flat(), line), items };
}

/** Attributes, items and calls behind an expression. */
export function parsePostfix(stream: TokenStream, subject: Expression): Expression {
  let node = subject;
  for (;;) {
    if (stream.isOperator('.')) node = parseAttribute(stream, node);
    else if (stream.isOperator('[')) node = parseItem(stream, node);
    else if (stream.isOperator('(')) node = parseCall(stream, node);
    else return node;
  }
}

export function parseCall(stream: TokenStream, callee: Expression): Expression {
  const { line } = stream.current;
  const { args, children } = parseArguments(stream);
  return { kind: 'call', line, depth: stream.depthAbove([callee, ...children], line), callee, args };
}

function parseAttribute(stream: TokenStream, target: Expression): Expression {
  const { line } = stream.expect('operator', '.');
  if (stream.is('integer')) throw stream.error(indexHint(target, stream.current.value));
  const name = stream.expect('name').value;
  return { kind: 'attribute', line, depth: stream.depthAbove([target], line), target, name };
}

function indexHint(target: Expression, index: string): string {
  const path = pathOf(target);
  return `items of a list are written in brackets: ${path}[${index}] instead of ${path}.${index}`;
}

function pathOf(target: Expression): string {
  if (target.kind === 'name') return target.name;
  if (target.kind === 'attribute') return `${pathOf(target.target)}.${target.name}`;
  return 'list';
}

function parseItem(stream: TokenStream, target: Expression): Item {
  const { line } = stream.expect('operator', '[');
  const items: Expression[] = [];
  while (!stream.isOperator(']')) {
    if (items.length > 0) stream.expect('operator', ',');
    items.push(parseSubscript(stream));
  }
  stream.expect('operator', ']');
  const tuple: TupleLiteral = { kind: 'tuple', line, depth: stream.depthAbove(items, line), items };
  const index = items.length === 1 ? (items[0] as Expression) : tuple;
  return { kind: 'item', line, depth: stream.depthAbove([target, index], line), target, index };
}

function parseSubscript(stream: TokenStream): Expression {
  const { line } = stream.current;
  const start = stream.isOperator(':') ? undefined : stream.grammar.expression(stream);
  if (start !== undefined && !stream.isOperator(':')) return start;
  stream.expect('operator', ':');
  const stop = parseSlicePart(stream);
  const step = stream.skip('operator', ':') ? parseSlicePart(stream) : undefined;
  const slice: Slice = {
    kind: 'slice',
    line,
    depth: stream.depthAbove([start, stop, step], line),
    start,
    stop,
    step,
  };
  return slice;
}

function parseSlicePart(stream: TokenStream): Expression | undefined {
  const isEnd = [':', ']', ','].some((operator) => stream.isOperator(operator));
  return isEnd ? undefined : stream.grammar.expression(stream);
}
