/**
 * The rows of a table in their newest version, without those that are deleted, in the place of a table in a statement. A condition
 * after `WHERE` sees nothing else; one after `PREWHERE` must hold for all versions of a row or for none.
 */
export function visible(table: string, name = ''): string {
  return name === '' ? `${table} FINAL` : `${table} AS ${name} FINAL`;
}
