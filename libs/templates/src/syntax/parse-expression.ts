import type { Compare, CompareOperator, Expression } from './nodes.js';
import { parsePostfix, parsePrimary } from './parse-primary.js';
import { parseFilters } from './parse-filters.js';
import type { TokenStream } from './token-stream.js';

/** The grammar of expressions, from the loosest to the tightest operator. Each rule is one of Jinja2's parser, with its associativity. */
export function parseExpression(stream: TokenStream): Expression {
  return stream.nested(() => parseConditional(stream));
}

/** An expression without `if`, which has another meaning after the iterable of a loop. */
export function parseUnconditional(stream: TokenStream): Expression {
  return stream.nested(() => parseOr(stream));
}

function parseConditional(stream: TokenStream): Expression {
  const { line } = stream.current;
  let then = parseOr(stream);
  while (stream.skip('name', 'if')) {
    const test = parseOr(stream);
    const otherwise = stream.skip('name', 'else') ? parseExpression(stream) : undefined;
    const depth = stream.depthAbove([then, test, otherwise], line);
    then = { kind: 'conditional', line, depth, test, then, otherwise };
  }
  return then;
}

function parseOr(stream: TokenStream): Expression {
  return parseLogical(stream, 'or', () => parseLogical(stream, 'and', () => parseNot(stream)));
}

function parseLogical(stream: TokenStream, operator: 'and' | 'or', operand: () => Expression): Expression {
  const { line } = stream.current;
  let left = operand();
  while (stream.skip('name', operator)) {
    const right = operand();
    left = { kind: 'logical', line, depth: stream.depthAbove([left, right], line), operator, left, right };
  }
  return left;
}

function parseNot(stream: TokenStream): Expression {
  const { line } = stream.current;
  if (!stream.skip('name', 'not')) return parseCompare(stream);
  const operand = stream.nested(() => parseNot(stream));
  return { kind: 'unary', line, depth: stream.depthAbove([operand], line), operator: 'not', operand };
}

const COMPARISONS: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];

function parseCompare(stream: TokenStream): Expression {
  const { line } = stream.current;
  const first = parseSum(stream);
  const rest: Compare['rest'][number][] = [];
  for (;;) {
    const operator = readComparison(stream);
    if (operator === undefined) break;
    rest.push({ operator, operand: parseSum(stream) });
  }
  if (rest.length === 0) return first;
  const depth = stream.depthAbove([first, ...rest.map(({ operand }) => operand)], line);
  return { kind: 'compare', line, depth, first, rest };
}

function readComparison(stream: TokenStream): CompareOperator | undefined {
  const { type, value } = stream.current;
  if (type === 'operator' && COMPARISONS.includes(value)) return stream.next().value as CompareOperator;
  if (stream.skip('name', 'in')) return 'in';
  const next = stream.look();
  if (!stream.isName('not') || next.type !== 'name' || next.value !== 'in') return undefined;
  stream.next();
  stream.next();
  return 'not in';
}

type Arithmetic = '+' | '-' | '*' | '/' | '//' | '%' | '**';

function parseBinary(
  stream: TokenStream,
  operators: readonly Arithmetic[],
  operand: (stream: TokenStream) => Expression,
): Expression {
  const { line } = stream.current;
  let left = operand(stream);
  for (;;) {
    const operator = operators.find((one) => stream.isOperator(one));
    if (operator === undefined) return left;
    stream.next();
    const right = operand(stream);
    left = { kind: 'binary', line, depth: stream.depthAbove([left, right], line), operator, left, right };
  }
}

const parseSum = (stream: TokenStream) => parseBinary(stream, ['+', '-'], parseConcat);
const parseProduct = (stream: TokenStream) => parseBinary(stream, ['*', '/', '//', '%'], parsePower);
/** Powers are left-associative, unlike in Python. */
const parsePower = (stream: TokenStream) => parseBinary(stream, ['**'], (it) => parseUnary(it, true));

function parseConcat(stream: TokenStream): Expression {
  const { line } = stream.current;
  const items = [parseProduct(stream)];
  while (stream.skip('operator', '~')) items.push(parseProduct(stream));
  if (items.length === 1) return items[0] as Expression;
  return { kind: 'concat', line, depth: stream.depthAbove(items, line), items };
}

/** A sign binds tighter than a power, and its filters apply to the signed value. */
function parseUnary(stream: TokenStream, withFilters: boolean): Expression {
  const { line } = stream.current;
  const sign = (['-', '+'] as const).find((one) => stream.skip('operator', one));
  const operand = sign && stream.nested(() => parseUnary(stream, false));
  const primary: Expression =
    sign && operand
      ? { kind: 'unary', line, depth: stream.depthAbove([operand], line), operator: sign, operand }
      : parsePrimary(stream);
  const node = parsePostfix(stream, primary);
  return withFilters ? parseFilters(stream, node) : node;
}
