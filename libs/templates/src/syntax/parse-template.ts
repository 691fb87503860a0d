import type { Statement } from './nodes.js';
import { parseExpression, parseUnconditional } from './parse-expression.js';
import { parseStatement } from './parse-statement.js';
import { parseTuple } from './parse-primary.js';
import { TokenStream } from './token-stream.js';

/**
 * Parses a template of Jinja2's grammar.
 * @throws TemplateError with the line
 */
export function parseStatements(source: string): Statement[] {
  const grammar = { expression: parseExpression, unconditional: parseUnconditional, body: parseBody };
  return parseBody(new TokenStream(source, grammar), []);
}

/** Statements up to one of these tags, whose name is the current token afterwards; up to the end of the template without tags. */
function parseBody(stream: TokenStream, endTags: readonly string[]): Statement[] {
  const statements: Statement[] = [];
  while (!stream.is('eof')) {
    const { line } = stream.current;
    if (stream.is('data')) {
      statements.push({ kind: 'data', line, depth: 1, text: stream.next().value });
    } else if (stream.is('variable_begin')) {
      stream.next();
      const expression = parseTuple(stream);
      stream.expect('variable_end');
      statements.push({ kind: 'output', line, depth: stream.depthAbove([expression], line), expression });
    } else {
      stream.expect('block_begin');
      if (stream.isName(...endTags)) return statements;
      statements.push(...stream.nested(() => parseStatement(stream)));
      stream.expect('block_end');
    }
  }
  if (endTags.length > 0)
    throw stream.error(`unexpected end of template, expected '${endTags.join("' or '")}'`);
  return statements;
}
