import { setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { compareInstants } from '../codec/instants.js';
import { asHistory, asOutputMessages } from '../conventions/chat-readers.js';
import { EVALUATION_EVENT, evaluationOfEvent } from '../conventions/evaluation.js';
import { DETAILS_EVENT } from '../conventions/gen-ai.js';
import {
  attributesBesideBody,
  CHOICE_EVENT,
  choiceOfEvent,
  CONTENT_EVENTS,
  MESSAGE_EVENTS,
  messagesOfEvent,
  type Choice,
} from '../conventions/gen-ai-events.js';
import type { Span, SpanEvent } from '../messages.js';
import type { SpanBuilder } from './span-builder.js';
import { extract } from './extract.js';
import { slotOf } from './slots.js';

/** Attributes of span events rank below attributes of the span; message events rank below those. */
const DETAILS_ORDER = 100_000;
const MESSAGES_ORDER = 150_000;
const CONTENT_ORDER = 160_000;

/** Streaming events provide the start and usage of a stream and remain events. */
const STREAM_EVENTS = new Set(['ai.stream.firstChunk', 'ai.stream.finish']);

const HISTORY = slotOf('fact.history');
const OUTPUT_MESSAGES = slotOf('fact.output_messages');
const EVALUATIONS = slotOf('metadata.evaluations');

/**
 * Reads span events that carry what other versions of a convention put on the span, in order of time.
 * @returns the events, or parts of them, that remain events
 */
export function readSpanEvents(span: Span, builder: SpanBuilder): readonly SpanEvent[] {
  if (!span.events.some((event) => event.name.startsWith('gen_ai.') || STREAM_EVENTS.has(event.name)))
    return span.events;
  const reader = new EventReader(builder);
  const byTime = [...span.events].sort((a, b) => compareInstants(a.time, b.time));
  const rest = byTime.flatMap((event) => reader.read(event) ?? event);
  reader.finish();
  return rest;
}

class EventReader {
  private history: Message[] = [];
  private readonly choices: Choice[] = [];
  private readonly historyEvents: SpanEvent[] = [];
  private readonly choiceEvents: SpanEvent[] = [];
  private readonly metrics: JsonObject = {};
  private readonly evaluations: JsonValue[] = [];
  private readonly judgements: SpanEvent[] = [];

  constructor(private readonly builder: SpanBuilder) {}

  /** Remaining part of the event; undefined when no rule applies to it. */
  read(event: SpanEvent): SpanEvent[] | undefined {
    const { name } = event;
    if (name === DETAILS_EVENT) return this.readDetails(event);
    if (STREAM_EVENTS.has(name)) extract(this.builder, event.attributes, '', DETAILS_ORDER);
    if (name === CHOICE_EVENT) return this.readChoice(event);
    if (name === EVALUATION_EVENT) return this.readEvaluation(event);
    const role = Object.hasOwn(MESSAGE_EVENTS, name) ? MESSAGE_EVENTS[name] : undefined;
    if (role !== undefined) return this.readMessage(event, role);
    return Object.hasOwn(CONTENT_EVENTS, name) ? this.readContent(event) : undefined;
  }

  finish(): void {
    const outputs = this.choices.sort((a, b) => a.index - b.index).flatMap((choice) => choice.messages);
    if (this.history.length > 0)
      this.builder.assignSlot(HISTORY, MESSAGES_ORDER, this.history, { events: this.historyEvents });
    if (outputs.length > 0)
      this.builder.assignSlot(OUTPUT_MESSAGES, MESSAGES_ORDER, outputs, { events: this.choiceEvents });
    if (this.evaluations.length > 0)
      this.builder.assignSlot(EVALUATIONS, MESSAGES_ORDER, this.evaluations, { events: this.judgements });
    this.builder.spread('metrics', MESSAGES_ORDER, this.metrics, { events: this.judgements });
  }

  private readMessage(event: SpanEvent, role: string): SpanEvent[] {
    this.history = this.history.concat(messagesOfEvent(event, role));
    return this.take(event, this.historyEvents);
  }

  private readChoice(event: SpanEvent): SpanEvent[] {
    this.choices.push(choiceOfEvent(event));
    return this.take(event, this.choiceEvents);
  }

  /** The event becomes a message; attributes that a message does not have are stored unless they are known. */
  private take(event: SpanEvent, events: SpanEvent[]): SpanEvent[] {
    events.push(event);
    const others = attributesBesideBody(event);
    if (others.length === 0) return [];
    const rest = extract(this.builder, new Map(others), '', DETAILS_ORDER);
    if (rest.length > 0) this.builder.contest({ events: [{ ...event, attributes: new Map(rest) }] });
    return [];
  }

  private readDetails(event: SpanEvent): SpanEvent[] {
    const rest = extract(this.builder, event.attributes, '', DETAILS_ORDER);
    return rest.length === 0 ? [] : [{ ...event, attributes: new Map(rest) }];
  }

  private readContent(event: SpanEvent): SpanEvent[] | undefined {
    const value = event.attributes.get(CONTENT_EVENTS[event.name] ?? '') ?? null;
    const isPrompt = event.name === 'gen_ai.content.prompt';
    const messages = isPrompt ? asHistory(value) : asOutputMessages(value);
    if (messages === undefined) return undefined;
    const source = { events: [event] };
    this.builder.assignSlot(isPrompt ? HISTORY : OUTPUT_MESSAGES, CONTENT_ORDER, messages, source);
    if (event.attributes.size > 1) this.builder.contest(source);
    return [];
  }

  private readEvaluation(event: SpanEvent): SpanEvent[] | undefined {
    const evaluation = evaluationOfEvent(event);
    if (evaluation === undefined) return undefined;
    setOwn(this.metrics, evaluation.name, evaluation.value);
    this.evaluations.push(evaluation.details);
    this.judgements.push(event);
    return [];
  }
}
