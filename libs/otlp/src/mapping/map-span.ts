import type { EventType, JsonObject, JsonValue } from '@assay/domain';
import type { Span } from '../messages.js';
import type { PriceTable } from '../prices/price-table.js';
import { bucketOf } from './bucket.js';
import { composeInputs } from './compose-inputs.js';
import { composeOutputs, finishReasons } from './compose-outputs.js';
import { SpanBuilder } from './span-builder.js';
import { errorOf } from './error-text.js';
import { addEstimatedCost } from './estimated-cost.js';
import { eventTypeOf } from './event-type.js';
import { extract } from './extract.js';
import { SessionRefs, type SessionRef } from './identify-session.js';
import { carriesEvaluation, linkedPatch, type LinkedPatch } from './linked-evaluation.js';
import { composeMetadata, type MetadataParts } from './metadata.js';
import { otelFacts, SharedFacts } from './otel-facts.js';
import { ResourceFacts } from './resource-facts.js';
import { slotOf } from './slots.js';
import { storeRest } from './rest.js';
import { readSpanEvents } from './span-events.js';
import { timesOf, type SpanTimes } from './span-times.js';
import { usageOf } from './usage.js';

const EVENT_ID = slotOf('fact.event_id');
const EVENT_NAME = slotOf('fact.event_name');
const PARENT_ID = slotOf('fact.parent_id');
const SESSION = slotOf('fact.session');
const SESSION_NAME = slotOf('fact.session_name');
const AUTO_CREATE = slotOf('fact.session_auto_create');
const SOURCE = slotOf('fact.source');
const ID_SLOTS = [EVENT_ID, SESSION, SESSION_NAME];
const UNKNOWN = 'unknown';

type Buckets = Readonly<
  Record<
    'inputs' | 'outputs' | 'config' | 'metadata' | 'metrics' | 'feedback' | 'user_properties',
    JsonObject
  >
>;

/** Mapping of one span without its ids and parent, which depend on the other spans of the request. */
export interface MappedSpan {
  readonly span: Span;
  readonly times: SpanTimes;
  readonly eventType: EventType;
  readonly eventName: string;
  readonly source: string;
  readonly error: string | null;
  readonly buckets: Buckets;
  /** Event id set by the span. */
  readonly eventId: string | undefined;
  /** Parent event id set by a root span. */
  readonly parentId: string | undefined;
  readonly session: SessionRef | undefined;
  readonly sessionName: string | undefined;
  readonly sessionAutoCreate: boolean;
  /** Patch of the event of another span. */
  readonly linked: LinkedPatch | undefined;
}

export interface MappingContext {
  readonly projectId: string;
  readonly receivedAt: number;
  readonly sourceHeader?: string | undefined;
  readonly prices?: PriceTable | undefined;
}

/** Maps the spans of one request. */
export class SpanMapper {
  private readonly builder = new SpanBuilder();
  private readonly shared = new SharedFacts();
  private readonly resources = new ResourceFacts();
  private readonly sessions: SessionRefs;

  constructor(private readonly context: MappingContext) {
    this.sessions = new SessionRefs(context.projectId);
  }

  map(span: Span): MappedSpan {
    const { builder } = this;
    builder.reset();
    const unmapped = extract(builder, span.attributes, span.name);
    const events = readSpanEvents(span, builder);
    this.resources.apply(span.resource, builder);
    const eventType = eventTypeOf(builder, span);
    const error = errorOf(span, builder);
    const times = timesOf(span, this.context.receivedAt);
    const otel = otelFacts(span, events, this.shared);
    if (times.estimated) otel['start_time_estimated'] = true;
    const session = this.sessionOf(builder.text(SESSION));
    const buckets = this.buckets(span, eventType, { otel, error, sessionKey: session?.key, unmapped });
    const eventName = builder.text(EVENT_NAME) ?? (span.name.trim() === '' ? UNKNOWN : span.name);
    const source = builder.text(SOURCE) ?? this.context.sourceHeader ?? UNKNOWN;
    if (span.parentSpanId !== undefined) builder.contestSlot(PARENT_ID);
    if (builder.contested.size > 0)
      storeRest(builder, buckets, [eventType, eventName, source, error.error, ...this.ids(span)]);
    const isEvaluation = carriesEvaluation(span, builder, buckets);
    return {
      span,
      times,
      eventType: isEvaluation ? 'tool' : eventType,
      eventName,
      source,
      error: error.error,
      buckets,
      linked: isEvaluation ? linkedPatch(span, buckets, this.context.projectId) : undefined,
      eventId: builder.text(EVENT_ID),
      parentId: builder.text(PARENT_ID),
      session,
      sessionName: builder.text(SESSION_NAME),
      sessionAutoCreate: builder.value(AUTO_CREATE) !== false,
    };
  }

  /** Ids and names that the event or its session has. */
  private ids({ parentSpanId }: Span): JsonValue[] {
    const { builder } = this;
    const slots = parentSpanId === undefined ? [...ID_SLOTS, PARENT_ID] : ID_SLOTS;
    return slots.map((slot) => builder.value(slot) ?? null);
  }

  private sessionOf(text: string | undefined): SessionRef | undefined {
    return text === undefined ? undefined : this.sessions.of(text);
  }

  private buckets(
    span: Span,
    type: EventType,
    parts: Omit<MetadataParts, 'usage' | 'finishReasons'>,
  ): Buckets {
    const { builder } = this;
    const isRoot = span.parentSpanId === undefined;
    const outputs = composeOutputs(builder, type, isRoot);
    const inputs = composeInputs(builder, type, isRoot);
    const usage = usageOf(builder, type);
    const config = bucketOf(builder, 'config');
    const { otel, error, sessionKey, unmapped } = parts;
    const metadata = composeMetadata(span, builder, {
      otel,
      error,
      sessionKey,
      unmapped,
      usage,
      finishReasons: finishReasonsOf(builder, outputs),
    });
    if (type === 'model' && this.context.prices !== undefined)
      addEstimatedCost(metadata, config, this.context.prices);
    return {
      inputs,
      outputs,
      config,
      metadata,
      metrics: bucketOf(builder, 'metrics'),
      feedback: bucketOf(builder, 'feedback'),
      user_properties: bucketOf(builder, 'user_properties'),
    };
  }
}

/** Finish reasons of the span, else of its output messages. */
function finishReasonsOf(builder: SpanBuilder, outputs: JsonObject): string[] {
  const ofSpan = finishReasons(builder);
  if (ofSpan.length > 0) return ofSpan;
  if (outputs['finish_reason'] === undefined && outputs['choices'] === undefined) return ofSpan;
  const choices = Array.isArray(outputs['choices']) ? outputs['choices'] : [outputs];
  return choices.flatMap((choice: JsonValue) => {
    const reason = (choice as JsonObject | null)?.['finish_reason'];
    return typeof reason === 'string' ? [reason] : [];
  });
}
