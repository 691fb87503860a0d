import { isJsonObject, type JsonObject } from '../../json.js';
import { callingEventId } from '../identity/event-id.js';
import type { Event } from '../event.js';
import { joinLogContent, type LogContent } from './log-content.js';
import { splitLogContent, withLogContent } from './stored-log-content.js';

/** Kinds of the spans that handle what another span sent. */
const SERVING_KINDS: ReadonlySet<unknown> = new Set(['SERVER', 'CONSUMER']);

/** Key of the metadata of a serving span's event: id of the event of the calling span with the same span id. */
export const CALLING_EVENT_ID = 'calling_event_id';
/** Key of the metadata of a calling span's event: id of the event of the serving span with the same span id. */
export const SERVING_EVENT_ID = 'serving_event_id';

/** Returns whether a span of this kind is the serving one of two that share an id. */
export function isServingKind(kind: unknown): boolean {
  return SERVING_KINDS.has(kind);
}

/** Events of two spans that share an id: of the one that calls, and of the one that serves the call. */
export interface SeparateEvents {
  readonly calling: Event;
  readonly serving: Event;
}

/**
 * Separates the events of two spans with the same ids, as tracers of the Zipkin style send them for the two sides of one
 * call. The serving event keeps the id, so that everything that names only the span refers to it: children, log
 * records, links. The calling event gets an id of its own and is the parent of the serving one.
 * @returns undefined unless one span of the two serves and the other does not
 */
export function separateEvents(one: Event, other: Event): SeparateEvents | undefined {
  const [facts, others] = [spanOf(one), spanOf(other)];
  if (facts === undefined || others === undefined) return undefined;
  if (facts['span_id'] !== others['span_id'] || facts['trace_id'] !== others['trace_id']) return undefined;
  const isServing = isServingKind(facts['kind']);
  if (isServing === isServingKind(others['kind'])) return undefined;
  return isServing ? separated(other, one) : separated(one, other);
}

/** Returns the event below the calling event that it knows: a create that is delivered again names the parent of both. */
export function belowCallingEvent(event: Event): Event {
  const calling = event.metadata[CALLING_EVENT_ID];
  if (calling === undefined || calling === event.parent_id) return event;
  return calling === callingEventId(event.event_id) ? { ...event, parent_id: calling } : event;
}

/** What log records state is about the serving span, whichever of the two it was joined with. */
function separated(calling: Event, serving: Event): SeparateEvents {
  const split = splitLogContent(calling);
  const id = callingEventId(serving.event_id);
  const owner: Event = {
    ...serving,
    parent_id: id,
    metadata: { ...serving.metadata, [CALLING_EVENT_ID]: id },
  };
  const own = split?.own ?? calling;
  return {
    calling: { ...own, event_id: id, metadata: { ...own.metadata, [SERVING_EVENT_ID]: serving.event_id } },
    serving: split === undefined ? owner : withLogs(owner, split.log),
  };
}

function withLogs(serving: Event, log: LogContent): Event {
  const split = splitLogContent(serving);
  return withLogContent({
    own: split?.own ?? serving,
    log: split === undefined ? log : joinLogContent(split.log, log),
  });
}

/** Protocol facts of the span that an event was sent as; log records have none, and a session has an id of its own. */
function spanOf({ origin, event_type: type, metadata }: Event): JsonObject | undefined {
  const otel = metadata['otel'];
  if (origin !== 'sent' || type === 'session' || !isJsonObject(otel)) return undefined;
  return typeof otel['span_id'] === 'string' && typeof otel['trace_id'] === 'string' ? otel : undefined;
}
