import type { JsonObject } from '../json.js';
import type { Event } from './event.js';

/** Key of the metadata of a session that has another name than its event. */
const NAME_KEY = 'session_name';

/** Returns the name of a session: the one that was sent beside the name of its event, else that name. */
export function sessionName({ metadata, event_name }: Pick<Event, 'metadata' | 'event_name'>): string {
  const name = Object.hasOwn(metadata, NAME_KEY) ? metadata[NAME_KEY] : undefined;
  return typeof name === 'string' && name !== '' ? name : event_name;
}

/** Fields of a session that hold its names. */
interface SentNames {
  readonly event_type: string;
  readonly event_name?: string;
  readonly session_name?: string;
  readonly metadata?: JsonObject;
}

/**
 * Returns the session with its `session_name` in a field that is stored: as the name of the event if it has
 * none, else in the metadata, unless these name the session. Other events are unchanged.
 */
export function keepSessionName<T extends SentNames>(sent: T): T {
  const { event_type, event_name, session_name, metadata = {} } = sent;
  if (event_type !== 'session' || !session_name || session_name === event_name) return sent;
  if (!event_name) return { ...sent, event_name: session_name };
  return Object.hasOwn(metadata, NAME_KEY)
    ? sent
    : { ...sent, metadata: { ...metadata, [NAME_KEY]: session_name } };
}
