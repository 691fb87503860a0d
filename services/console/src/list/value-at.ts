/** Returns the value at a dotted path of a row; undefined when there is none. */
export function valueAt(row: object, path: string): unknown {
  let value: unknown = row;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Returns the number at a path, which may be absent or of another type. */
export function numberAt(row: object, path: string): number | undefined {
  const value = valueAt(row, path);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
