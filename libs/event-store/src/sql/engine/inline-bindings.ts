import type { Bindings, BoundValue, Query } from './engine.js';

const PLACEHOLDER = /\{(p\d+):([^}]+)\}/g;
const SPECIAL = /[\\'\0\b\f\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/**
 * The text of a query with its values as typed literals. The engine in the process runs statements with
 * parameters one at a time over all connections, so that one slow query would block every other.
 */
export function inlineBindings({ sql, bindings }: Query): string {
  return sql.replace(PLACEHOLDER, (_place, name: string, type: string) =>
    typedLiteral(valueOf(bindings, name), type),
  );
}

function valueOf(bindings: Bindings, name: string): BoundValue {
  const value = bindings[name];
  if (value === undefined) throw new RangeError(`the statement binds no value for ${name}`);
  return value;
}

/** Numbers stand bare, because `LIMIT` takes no expression; every other value is cast as the engine casts parameters. */
function typedLiteral(value: BoundValue, type: string): string {
  if (typeof value === 'number') return String(value);
  const literal = typeof value === 'string' ? quoted(value) : `[${value.map(quoted).join(',')}]`;
  return `_CAST(${literal}, ${quoted(type)})`;
}

function quoted(text: string): string {
  return `'${text.replace(SPECIAL, (character) => ESCAPES[character] ?? character)}'`;
}
