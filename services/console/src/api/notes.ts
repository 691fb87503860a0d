import { call } from './call.js';
import { readPayload } from './payload-stream.js';

/** What a person has noted about an event. */
export interface Note {
  readonly annotator: string;
  readonly text: string;
}

const PREFIX = 'note@';
/** Feedback that is longer is read by its rows only. */
const MAX_BYTES = 1_000_000;

/** Returns the notes on an event; null when its feedback is too long to look for them. */
export async function notesOf(
  project: string,
  eventId: string,
  signal?: AbortSignal,
): Promise<readonly Note[] | null> {
  const bytes = await readPayload({ project, eventId, field: 'feedback' }, signal);
  if (bytes.length > MAX_BYTES) return null;
  const feedback: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return Object.entries(Object(feedback) as Readonly<Record<string, unknown>>).flatMap(([key, text]) =>
    key.startsWith(PREFIX) && typeof text === 'string' && text !== ''
      ? { annotator: key.slice(PREFIX.length), text }
      : [],
  );
}

/** Writes what one person notes; an empty text removes it. */
export const writeNote = (project: string, eventId: string, { annotator, text }: Note) =>
  call<unknown>({
    ...{ method: 'PUT', path: `/v1/events/${encodeURIComponent(eventId)}`, project },
    body: { feedback: { [`${PREFIX}${annotator}`]: text === '' ? null : text } },
  });
