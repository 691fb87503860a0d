import { deepStrictEqual } from 'node:assert';
import type { Event } from '@assay/domain';
import { decodeTraces } from '../src/codec/decode-traces.js';
import { encodeRequest } from '../src/codec/protobuf/encode-request.js';
import { DEFAULT_PRICES } from '../src/prices/default-prices.js';
import { toEvents } from '../src/to-events.js';
import { PROJECT } from './map-one.js';
import { jsonBody, requestJson, spanJson, type SpanInput } from './otlp-request.js';
import { StoredEvents } from './stored-events.js';

/** Spans of one program, and what is expected of the event of each, by the name of the span. */
export interface ProgramVector {
  readonly name: string;
  readonly spans: readonly SpanInput[];
  readonly events: Readonly<Record<string, object>>;
  /** The sending library; `tests` by default. */
  readonly scope?: string;
}

/** One model call with these attributes. */
export function call(name: string, attributes: Record<string, unknown>, events: object): ProgramVector {
  return { name, spans: [{ name, kind: 3, attributes }], events: { [name]: events } };
}

/**
 * Stores spans in both encodings, in one request and in a request for each, in both orders. Returns the events by name.
 * @throws AssertionError when any of these ways stores another event; sessions depend on what has arrived, and are not compared
 */
export function storedInEveryWay({ spans, scope }: ProgramVector): Record<string, Event> {
  const withIds = spans.map((span, index) => ({ spanId: `${index + 1}`.padStart(16, 'a'), ...span }));
  const reversed = withIds.toReversed();
  const each = (list: readonly SpanInput[]) => list.map((span) => [span]);
  const orders = [[withIds], [reversed], each(withIds), each(reversed), [...each(reversed), withIds]];
  const [first = [], ...others] = (['json', 'protobuf'] as const).flatMap((encoding) =>
    orders.map((requests) => stored(requests, encoding, scope)),
  );
  for (const other of others) deepStrictEqual(other, first);
  return Object.fromEntries(first.map((event) => [event.event_name, event]));
}

function stored(
  requests: readonly (readonly SpanInput[])[],
  encoding: 'json' | 'protobuf',
  scope = 'tests',
): Event[] {
  const events = new StoredEvents();
  for (const spans of requests) {
    const request = requestJson(spans.map(spanJson), {}, scope);
    const body = encoding === 'json' ? jsonBody(request) : encodeRequest(request);
    events.store(
      toEvents(decodeTraces(body, encoding), { projectId: PROJECT, receivedAt: 1, prices: DEFAULT_PRICES }),
    );
  }
  return events.all().map((event) => ({ ...event, session_id: '' }));
}
