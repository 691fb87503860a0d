import type { Expression, Statement, Target } from './nodes.js';
import { parseTuple } from './parse-primary.js';
import type { TokenStream } from './token-stream.js';

interface TargetOptions {
  readonly endNames?: readonly string[];
  readonly withNamespace?: boolean;
}

/** The left side of an assignment: a name, several names, or an attribute of a namespace. */
export function parseTarget(
  stream: TokenStream,
  { endNames = [], withNamespace }: TargetOptions = {},
): Target {
  const { line } = stream.current;
  const next = stream.look();
  if (withNamespace && stream.is('name') && next.type === 'operator' && next.value === '.') {
    const name = stream.next().value;
    stream.expect('operator', '.');
    return { kind: 'namespaceRef', line, depth: 1, name, attribute: stream.expect('name').value };
  }
  const target = parseTuple(stream, { simplified: true, endNames });
  assertTarget(stream, target, line);
  return target;
}

export function parseNameTarget(stream: TokenStream): string {
  const { line } = stream.current;
  const { value } = stream.expect('name');
  if (['true', 'True', 'false', 'False', 'none', 'None'].includes(value))
    throw stream.error(`cannot assign to '${value}'`, line);
  return value;
}

function assertTarget(stream: TokenStream, target: Expression, line: number): asserts target is Target {
  if (target.kind === 'name') return;
  if (target.kind !== 'tuple' && target.kind !== 'list')
    throw stream.error('cannot assign to this expression', line);
  for (const item of target.items) assertTarget(stream, item, line);
}

const SPECIAL = new Set(['varargs', 'kwargs', 'caller']);

/** Which of the special variables of a macro its body mentions. */
export function mentionedNames(body: readonly Statement[]): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: unknown[] = [...body];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null || node instanceof Set) continue;
    if ('kind' in node && node.kind === 'name' && 'name' in node && SPECIAL.has(node.name as string))
      found.add(node.name as string);
    pending.push(...(Object.values(node) as unknown[]).filter((value) => value !== null));
  }
  return found;
}
