import { completeEnd } from '../time/check-times.js';
import { EVENT_SHAPE } from '../event-shape.js';
import { sessionName } from '../session-name.js';
import { parseObjectText, writtenObjectText, type StoredEvent } from '../stored-event.js';
import { ONLY_ONE } from './wire-event.js';

/** Longer texts are not joined with others: the result would be copied again when it is sent. */
const MAX_JOINED_LENGTH = 256;

/** Characters that `JSON.stringify` escapes, or may escape. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;
const NOT_COPIED: ReadonlySet<string> = new Set(['origin', 'end_time', 'duration']);
const FIELDS = EVENT_SHAPE.fields
  .filter(({ name }) => !NOT_COPIED.has(name))
  .map(({ name, type }) => ({ name, isObject: type === 'object', before: `,"${name}":` }));

/**
 * Returns the JSON text that `JSON.stringify` writes of the event in the format of the API (`toWireEvent`), in pieces. The open
 * objects are copied, not parsed.
 */
export function wireEventTexts(event: StoredEvent, project: { readonly name: string }): string[] {
  const texts: string[] = [];
  let text = `{"project":${JSON.stringify(project.name)},"org_id":"${ONLY_ONE}","workspace_id":"${ONLY_ONE}"`;
  for (const { name, isObject, before } of FIELDS) {
    const value = event[name];
    const written = isObject ? writtenObjectText(value as string) : scalarText(value);
    text += before;
    if (written.length <= MAX_JOINED_LENGTH) text += written;
    else {
      texts.push(text, written);
      text = '';
    }
  }
  texts.push(`${text}${derivedText(event)}}`);
  return texts;
}

/** The fields that are derived from others. */
function derivedText(event: StoredEvent): string {
  const { end_time: end, duration } = completeEnd(event.start_time, event.end_time, event.duration);
  const name =
    event.event_type === 'session'
      ? sessionName({ event_name: event.event_name, metadata: parseObjectText(event.metadata) })
      : undefined;
  return (
    (name === undefined ? '' : `,"session_name":${JSON.stringify(name)}`) +
    (end === null ? '' : `,"end_time":${JSON.stringify(end)}`) +
    (duration === null ? '' : `,"duration":${JSON.stringify(duration)}`)
  );
}

/** As `JSON.stringify`, which takes longer for values without escapes. */
function scalarText(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string' && !ESCAPED.test(value)) return `"${value}"`;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : JSON.stringify(value);
}
