import { synthesiseSession, type Event, type JsonObject, type JsonValue } from '@assay/domain';
import type { MappedSpan } from './map-span.js';
import { firstSpan } from './trace-sessions.js';

/** An event and its source span. */
export interface SpanEventPair {
  readonly mapped: MappedSpan;
  readonly event: Event;
}

/** Experiment ids, which are sent on spans and required on sessions. */
const EXPERIMENT_IDS = ['run_id', 'dataset_id', 'datapoint_id'];

/**
 * Synthesised session events: one per session of the request, unless it is among the events or a span
 * disables it. Inputs, outputs and errors are never copied from events.
 */
export function synthesiseSessions(pairs: readonly SpanEventPair[]): Event[] {
  const bySession = new Map<string, SpanEventPair[]>();
  for (const pair of pairs) {
    const members = bySession.get(pair.event.session_id);
    if (members === undefined) bySession.set(pair.event.session_id, [pair]);
    else members.push(pair);
  }
  return [...bySession.values()].flatMap((members) => (isWanted(members) ? sessionOf(members) : []));
}

function isWanted(members: readonly SpanEventPair[]): boolean {
  return members.every(({ mapped, event }) => mapped.sessionAutoCreate && event.event_type !== 'session');
}

function sessionOf(members: readonly SpanEventPair[]): Event[] {
  const [first, ...rest] = members.map(({ event }) => event);
  const spans = members.map(({ mapped }) => mapped);
  const root = firstSpan(spans);
  if (first === undefined || root === undefined) return [];
  const withUser = firstSpan(
    spans.filter((mapped) => Object.keys(mapped.buckets.user_properties).length > 0),
  );
  return [
    {
      ...synthesiseSession([first, ...rest]),
      event_name:
        firstSpan(spans.filter((mapped) => mapped.sessionName !== undefined))?.sessionName ?? root.eventName,
      source: root.source,
      user_properties: withUser?.buckets.user_properties ?? {},
      metadata: {
        otel: { synthesised: true },
        ...sessionKey(spans, first.session_id),
        ...experimentIds(spans),
      },
    },
  ];
}

/** Text from which the id of the session was derived. */
function sessionKey(spans: readonly MappedSpan[], sessionId: string): JsonObject {
  const key = spans.find(({ session }) => session?.id === sessionId)?.session?.key;
  return key === undefined ? {} : { session_key: key };
}

function experimentIds(spans: readonly MappedSpan[]): JsonObject {
  const ids: JsonObject = {};
  for (const id of EXPERIMENT_IDS) {
    const holder = firstSpan(spans.filter((mapped) => Object.hasOwn(mapped.buckets.metadata, id)));
    if (holder !== undefined) ids[id] = holder.buckets.metadata[id] as JsonValue;
  }
  return ids;
}
