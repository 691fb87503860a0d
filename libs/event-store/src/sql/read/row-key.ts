/** The sort key of a row within its project. */
export interface RowKey {
  readonly key_event: string;
  readonly key_session: string;
  /** Start of the hour of the clamped start time, Unix seconds. */
  readonly key_hour: number;
}

/** What to select for a {@link RowKey}. */
export const KEY_COLUMNS =
  'toString(event_id) AS key_event, toString(session_id) AS key_session, toUnixTimestamp(start_hour) AS key_hour';

/** One text for one key. */
export function rowKeyText(key: RowKey): string {
  return `${key.key_hour}/${key.key_session}/${key.key_event}`;
}
