import { FILTER_NAMES, TEST_NAMES } from '../builtins/names.js';
import type { Expression, Filter, Test } from './nodes.js';
import { NO_ARGUMENTS, parseArguments } from './parse-arguments.js';
import { parseCall, parsePostfix, parsePrimary } from './parse-primary.js';
import type { TokenStream } from './token-stream.js';

/** Filters, tests and calls behind an expression. */
export function parseFilters(stream: TokenStream, subject: Expression): Expression {
  let node = subject;
  for (;;) {
    if (stream.skip('operator', '|')) node = parseFilter(stream, node);
    else if (stream.isName('is')) node = parseTest(stream, node);
    else if (stream.isOperator('(')) node = parseCall(stream, node);
    else return node;
  }
}

/** A filter behind its `|`. */
export function parseFilter(stream: TokenStream, subject: Expression | undefined): Filter {
  const { line } = stream.current;
  const name = readDottedName(stream);
  const isCalled = stream.isOperator('(');
  const { args, children } = isCalled ? parseArguments(stream) : { args: NO_ARGUMENTS, children: [] };
  if (!FILTER_NAMES.has(name)) throw stream.error(`no filter named '${name}'`, line);
  return {
    kind: 'filter',
    line,
    depth: stream.depthAbove([subject, ...children], line),
    subject,
    name,
    args,
  };
}

/** Filters of a block: the first has no subject. */
export function parseFilterChain(stream: TokenStream): Filter {
  let filter = parseFilter(stream, undefined);
  while (stream.skip('operator', '|')) filter = parseFilter(stream, filter);
  return filter;
}

const OPENING = ['(', '[', '{'];

function parseTest(stream: TokenStream, subject: Expression): Expression {
  const { line } = stream.expect('name', 'is');
  const isNegated = stream.skip('name', 'not');
  const name = readDottedName(stream);
  const { args, children } = parseTestArguments(stream);
  if (!TEST_NAMES.has(name)) throw stream.error(`no test named '${name}'`, line);
  const depth = stream.depthAbove([subject, ...children], line);
  const test: Test = { kind: 'test', line, depth, subject, name, args };
  if (!isNegated) return test;
  return { kind: 'unary', line, depth: stream.depthAbove([test], line), operator: 'not', operand: test };
}

/** The arguments of a test: in parentheses, or one without them, as in `is divisibleby 3`. */
function parseTestArguments(stream: TokenStream) {
  if (stream.isOperator('(')) return parseArguments(stream);
  const isOperand =
    ['string', 'integer', 'float'].includes(stream.current.type) ||
    OPENING.some((operator) => stream.isOperator(operator)) ||
    (stream.is('name') && !stream.isName('else', 'or', 'and'));
  if (!isOperand) return { args: NO_ARGUMENTS, children: [] };
  if (stream.isName('is')) throw stream.error('tests cannot be chained with is');
  const operand = parsePostfix(stream, parsePrimary(stream));
  return { args: { ...NO_ARGUMENTS, positional: [operand] }, children: [operand] };
}

function readDottedName(stream: TokenStream): string {
  let name = stream.expect('name').value;
  while (stream.skip('operator', '.')) name += `.${stream.expect('name').value}`;
  return name;
}
