import type { Call, Expression, If, Macro, Signature, Statement, Target } from './nodes.js';
import { parseExpression } from './parse-expression.js';
import { parseFilterChain } from './parse-filters.js';
import { parseTuple } from './parse-primary.js';
import { parseNameTarget, parseTarget, mentionedNames } from './targets.js';
import type { TokenStream } from './token-stream.js';

type StatementParser = (stream: TokenStream, line: number) => Statement[];

const PARSERS: Readonly<Record<string, StatementParser>> = {
  for: (stream, line) => [parseFor(stream, line)],
  if: (stream, line) => [parseIf(stream, line)],
  set: (stream, line) => [parseSet(stream, line)],
  with: (stream, line) => [parseWith(stream, line)],
  macro: (stream, line) => [parseMacro(stream, line)],
  call: (stream, line) => [parseCallBlock(stream, line)],
  filter: (stream, line) => [parseFilterBlock(stream, line)],
  block: (stream, line) => [parseBlock(stream, line)],
  print: (stream, line) => parsePrint(stream, line),
};
const UNSUPPORTED = [
  'extends',
  'include',
  'import',
  'from',
  'autoescape',
  'do',
  'break',
  'continue',
  'trans',
];

/** A statement behind its `{%`, up to its last `%}`, which is the current token afterwards. */
export function parseStatement(stream: TokenStream): Statement[] {
  const { line } = stream.current;
  const tag = stream.expect('name').value;
  const parser = Object.hasOwn(PARSERS, tag) ? PARSERS[tag] : undefined;
  if (parser !== undefined) return parser(stream, line);
  const reason = UNSUPPORTED.includes(tag) ? 'is not supported' : 'is unknown';
  throw stream.error(`the tag '${tag}' ${reason}`, line);
}

/** Statements of a block: behind its opening tag, up to the name of the tag that ends it. */
function parseBlockBody(stream: TokenStream, ...endTags: readonly string[]): Statement[] {
  stream.skip('operator', ':');
  stream.expect('block_end');
  return stream.grammar.body(stream, endTags);
}

function parseLastBody(stream: TokenStream, endTag: string): Statement[] {
  const body = parseBlockBody(stream, endTag);
  stream.next();
  return body;
}

function parseFor(stream: TokenStream, line: number): Statement {
  const target = parseTarget(stream, { endNames: ['in'] });
  stream.expect('name', 'in');
  const iterable = parseTuple(stream, { withoutCondition: true, endNames: ['recursive'] });
  const test = stream.skip('name', 'if') ? parseExpression(stream) : undefined;
  const recursive = stream.skip('name', 'recursive');
  const body = parseBlockBody(stream, 'endfor', 'else');
  const otherwise = stream.next().value === 'endfor' ? [] : parseLastBody(stream, 'endfor');
  const depth = stream.depthAbove([iterable, test, ...body, ...otherwise], line);
  return { kind: 'for', line, depth, target, iterable, test, recursive, body, otherwise };
}

function parseIf(stream: TokenStream, line: number): Statement {
  const branches: If['branches'][number][] = [];
  let otherwise: Statement[] = [];
  for (;;) {
    const test = parseTuple(stream, { withoutCondition: true });
    branches.push({ test, body: parseBlockBody(stream, 'elif', 'else', 'endif') });
    const tag = stream.next().value;
    if (tag === 'elif') continue;
    if (tag === 'else') otherwise = parseLastBody(stream, 'endif');
    break;
  }
  const children = [...branches.flatMap(({ test, body }) => [test, ...body]), ...otherwise];
  return { kind: 'if', line, depth: stream.depthAbove(children, line), branches, otherwise };
}

function parseSet(stream: TokenStream, line: number): Statement {
  const target = parseTarget(stream, { withNamespace: true });
  if (stream.skip('operator', '=')) {
    const value = parseTuple(stream);
    return { kind: 'set', line, depth: stream.depthAbove([value], line), target, value };
  }
  const filter = stream.skip('operator', '|') ? parseFilterChain(stream) : undefined;
  const body = parseLastBody(stream, 'endset');
  return { kind: 'setBlock', line, depth: stream.depthAbove([filter, ...body], line), target, filter, body };
}

function parseWith(stream: TokenStream, line: number): Statement {
  const assignments: [Target, Expression][] = [];
  while (!stream.is('block_end')) {
    if (assignments.length > 0) stream.expect('operator', ',');
    const target = parseTarget(stream);
    stream.expect('operator', '=');
    assignments.push([target, parseExpression(stream)]);
  }
  const body = parseLastBody(stream, 'endwith');
  const depth = stream.depthAbove([...assignments.map(([, value]) => value), ...body], line);
  return { kind: 'with', line, depth, assignments, body };
}

function parseMacro(stream: TokenStream, line: number): Macro {
  const name = parseNameTarget(stream);
  return parseMacroBody(stream, { name, line, signature: parseSignature(stream) }, 'endmacro');
}

interface MacroHead {
  readonly name: string;
  readonly line: number;
  readonly signature: Signature;
}

function parseMacroBody(stream: TokenStream, { name, line, signature }: MacroHead, endTag: string): Macro {
  const body = parseLastBody(stream, endTag);
  const fallbacks = signature.parameters.map(({ fallback }) => fallback);
  const depth = stream.depthAbove([...fallbacks, ...body], line);
  return { kind: 'macro', line, depth, name, signature, body, mentions: mentionedNames(body) };
}

function parseSignature(stream: TokenStream): Signature {
  const parameters: Signature['parameters'][number][] = [];
  stream.expect('operator', '(');
  while (!stream.isOperator(')')) {
    if (parameters.length > 0) stream.expect('operator', ',');
    const name = parseNameTarget(stream);
    const fallback = stream.skip('operator', '=') ? parseExpression(stream) : undefined;
    if (fallback === undefined && parameters.at(-1)?.fallback !== undefined)
      throw stream.error('a parameter without a default follows one with a default');
    parameters.push({ name, fallback });
  }
  stream.expect('operator', ')');
  return { parameters };
}

function parseCallBlock(stream: TokenStream, line: number): Statement {
  const signature = stream.isOperator('(') ? parseSignature(stream) : { parameters: [] };
  const call: Expression = parseExpression(stream);
  if (call.kind !== 'call') throw stream.error('expected a call', line);
  const macro = parseMacroBody(stream, { name: 'caller', line, signature }, 'endcall');
  return {
    kind: 'callBlock',
    line,
    depth: stream.depthAbove([call, macro], line),
    call: call satisfies Call,
    macro,
  };
}

function parseFilterBlock(stream: TokenStream, line: number): Statement {
  const filter = parseFilterChain(stream);
  const body = parseLastBody(stream, 'endfilter');
  return { kind: 'filterBlock', line, depth: stream.depthAbove([filter, ...body], line), filter, body };
}

/** A block without inheritance is its content. */
function parseBlock(stream: TokenStream, line: number): Statement {
  const name = stream.expect('name').value;
  stream.skip('name', 'scoped');
  if (stream.isName('required')) throw stream.error('required blocks are not supported');
  const body = parseLastBody(stream, 'endblock');
  stream.skip('name', name);
  return { kind: 'block', line, depth: stream.depthAbove(body, line), body };
}

function parsePrint(stream: TokenStream, line: number): Statement[] {
  const outputs: Statement[] = [];
  while (!stream.is('block_end')) {
    if (outputs.length > 0) stream.expect('operator', ',');
    const expression = parseExpression(stream);
    outputs.push({ kind: 'output', line, depth: stream.depthAbove([expression], line), expression });
  }
  return outputs;
}
