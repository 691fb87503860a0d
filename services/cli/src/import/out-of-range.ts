import type { JsonValue } from '@assay/domain';
import type { Row } from './row.js';

/** Returns the path of a number that JSON can write and a number cannot hold, such as `1e400`; undefined without one. */
export function outOfRange({ cells }: Pick<Row, 'cells'>): string | undefined {
  for (const [column, value] of cells) {
    const path = pathWithin(value);
    if (path !== undefined) return column + path;
  }
  return undefined;
}

function pathWithin(value: JsonValue): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, held] of Object.entries<JsonValue>(value)) {
    const path = pathWithin(held);
    if (path !== undefined) return (isList ? `[${key}]` : `.${key}`) + path;
  }
  return undefined;
}
