import type { Arguments, Expression } from './nodes.js';
import type { TokenStream } from './token-stream.js';

export const NO_ARGUMENTS: Arguments = {
  positional: [],
  named: [],
  spread: undefined,
  spreadNamed: undefined,
};

interface ParsedArguments {
  readonly args: Arguments;
  readonly children: readonly Expression[];
}

/** Arguments in parentheses: positional, then `*list`, named and `**dict`. */
export function parseArguments(stream: TokenStream): ParsedArguments {
  const positional: Expression[] = [];
  const named: [string, Expression][] = [];
  const spreads: { list?: Expression; dict?: Expression } = {};
  const { line } = stream.expect('operator', '(');
  const isFirst = () => positional.length + named.length === 0 && !spreads.list && !spreads.dict;
  while (!stream.isOperator(')')) {
    if (!isFirst()) {
      stream.expect('operator', ',');
      if (stream.isOperator(')')) break;
    }
    parseArgument(stream, positional, named, spreads);
  }
  stream.expect('operator', ')');
  const names = new Set<string>();
  for (const [name] of named) {
    if (names.has(name)) throw stream.error(`the argument '${name}' is repeated`, line);
    names.add(name);
  }
  const args = { positional, named, spread: spreads.list, spreadNamed: spreads.dict };
  const others = [spreads.list, spreads.dict].filter((one) => one !== undefined);
  return { args, children: [...positional, ...named.map(([, value]) => value), ...others] };
}

function parseArgument(
  stream: TokenStream,
  positional: Expression[],
  named: [string, Expression][],
  spreads: { list?: Expression; dict?: Expression },
): void {
  if (stream.skip('operator', '*')) {
    if (spreads.list || spreads.dict) throw stream.error('invalid order of arguments');
    spreads.list = stream.grammar.expression(stream);
  } else if (stream.skip('operator', '**')) {
    if (spreads.dict) throw stream.error('invalid order of arguments');
    spreads.dict = stream.grammar.expression(stream);
  } else if (stream.is('name') && isAssign(stream)) {
    if (spreads.dict) throw stream.error('invalid order of arguments');
    const name = stream.next().value;
    stream.expect('operator', '=');
    named.push([name, stream.grammar.expression(stream)]);
  } else {
    if (named.length > 0 || spreads.list || spreads.dict) throw stream.error('invalid order of arguments');
    positional.push(stream.grammar.expression(stream));
  }
}

function isAssign(stream: TokenStream): boolean {
  const next = stream.look();
  return next.type === 'operator' && next.value === '=';
}
