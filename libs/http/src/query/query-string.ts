import { parse } from 'qs';
import { validationError } from '@assay/errors';

/** A decoded query string, before its values are converted to the types of a schema. */
export type QueryObject = Readonly<Record<string, unknown>>;

/** Limits: nested brackets of a parameter, parameters of a query, items of a list. */
const MAX_DEPTH = 5;
const MAX_PARAMETERS = 1000;
const MAX_ITEMS = 1000;
const FORBIDDEN_PARTS = ['__proto__', 'constructor', 'prototype'];

/**
 * Reads a query string: `a=1`, `a[]=1&a[]=2`, `a[x][y]=1`, `a[0][x]=1`, repeated names as a list.
 * @param text without the question mark
 * @throws AppError `VALIDATION_ERROR` for invalid percent-encoding, deep nesting, too many parameters, and names with a
 *   special meaning in JavaScript (`__proto__`, `constructor`, `prototype`)
 */
export function decodeQuery(text: string): QueryObject {
  if (text === '') return {};
  const names = text.split('&').map((pair) => percentDecoded(pair.split('=', 1)[0] ?? ''));
  if (names.length > MAX_PARAMETERS)
    throw validationError(`query has more than ${MAX_PARAMETERS} parameters`);
  names.forEach(checkName);
  return parse(text, {
    depth: MAX_DEPTH,
    strictDepth: true,
    arrayLimit: MAX_ITEMS,
    parameterLimit: MAX_PARAMETERS,
    ignoreQueryPrefix: false,
    decoder: percentDecoded,
  });
}

function checkName(name: string): void {
  const parts = name.split(/[[\]]+/).filter((part) => part !== '');
  const first = (parts[0] ?? '').slice(0, 50).replace(/[^\x20-\x7e]/g, '?');
  if (parts.some((part) => FORBIDDEN_PARTS.includes(part)))
    throw validationError('query has a parameter with a name that is not allowed');
  if ((name.match(/\[/g)?.length ?? 0) > MAX_DEPTH)
    throw validationError(`${first} is nested deeper than ${MAX_DEPTH} levels`);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw validationError('query is not valid percent-encoded UTF-8', { cause });
  }
}
