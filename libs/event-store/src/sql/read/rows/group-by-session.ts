import type { RowKey } from './row-key.js';

/** Rows by the ids of their sessions. */
export function groupBySession<Row extends RowKey>(rows: readonly Row[]): Map<string, Row[]> {
  const sessions = new Map<string, Row[]>();
  for (const row of rows) {
    const others = sessions.get(row.key_session);
    if (others === undefined) sessions.set(row.key_session, [row]);
    else others.push(row);
  }
  return sessions;
}
