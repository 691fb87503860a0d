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

/** Whether two rows have the same key. */
export function hasSameKey(one: RowKey, other: RowKey): boolean {
  return (
    one.key_event === other.key_event &&
    one.key_session === other.key_session &&
    one.key_hour === other.key_hour
  );
}

/** Compares two rows of a project as the engine sorts them: by the hour, then the session, then the event. */
export function byEngineOrder(one: RowKey, other: RowKey): number {
  return (
    one.key_hour - other.key_hour ||
    byUuid(one.key_session, other.key_session) ||
    byUuid(one.key_event, other.key_event)
  );
}

/** The engine compares the second halves of two UUIDs first. */
function byUuid(one: string, other: string): number {
  if (one === other) return 0;
  const [first, second] = [one, other].map((id) => id.slice(19) + id.slice(0, 19)) as [string, string];
  return first < second ? -1 : 1;
}
