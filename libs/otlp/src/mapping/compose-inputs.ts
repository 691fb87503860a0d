import { isJsonObject, type EventType, type JsonObject, type JsonValue } from '@assay/domain';
import { completeMessages } from '../chat/complete-messages.js';
import { isSilent, type Message } from '../chat/message.js';
import { readMessagesStrictly } from '../chat/read-messages.js';
import { fillAll, fillExplicit, fillFrom, fillGaps, fillSlots } from './bucket.js';
import { inputsFrom } from './inputs-from.js';
import { slotOf, type Slot } from './slots.js';
import type { SpanBuilder } from './span-builder.js';
import { wholeMessages } from './whole-messages.js';
import { asObjectOrValue, messagesOfInput, wholeInput } from './whole-value.js';

const HISTORY = slotOf('fact.history');
const INSTRUCTIONS = slotOf('fact.instructions');
const TOOL_ARGUMENTS = slotOf('fact.tool_arguments');
const INPUT = slotOf('fact.input');
const INPUTS_INPUT = slotOf('inputs.input');
const USER_INPUT = slotOf('fact.user_input');
const TRACE_INPUT = slotOf('fact.trace_input');
const SHAPE = slotOf('fact.shape');
const MEMORY_RECORDS = slotOf('fact.memory_records');

/**
 * Inputs of an event, by precedence: explicit values, tool arguments, messages and named inputs, unstructured
 * input.
 */
export function composeInputs(builder: SpanBuilder, type: EventType, isRoot: boolean): JsonObject {
  const inputs = inputsOf(builder, type, isRoot);
  const history = inputs['chat_history'];
  // The messages of a convention were read as messages; only other sources may have bare texts.
  if (history === undefined || history === builder.value(HISTORY) || !Array.isArray(history)) return inputs;
  if (history.some((message) => typeof message === 'string')) inputs['chat_history'] = history.map(asMessage);
  return inputs;
}

const SAID_BY = /^(system|user|assistant|tool|developer): /;

/** A bare text of a history as a message; some libraries write the role before it. */
function asMessage(value: JsonValue): JsonValue {
  return typeof value === 'string' ? { role: SAID_BY.exec(value)?.[1] ?? 'user', content: value } : value;
}

function inputsOf(builder: SpanBuilder, type: EventType, isRoot: boolean): JsonObject {
  const inputs: JsonObject = {};
  const shape = builder.text(SHAPE);
  fillExplicit(builder, 'inputs', inputs);
  const read = (slot: Slot, value: JsonValue): JsonObject => {
    const whole = wholeMessages(builder, slot, value, type);
    return whole === undefined ? {} : inputsFrom(whole, type, shape);
  };
  fillFrom(builder, inputs, USER_INPUT, (value) => read(USER_INPUT, value));
  if (type === 'tool') fillFrom(builder, inputs, TOOL_ARGUMENTS, asObjectOrValue);
  fillHistory(builder, inputs, type);
  fillSlots(builder, 'inputs', inputs);
  if (shape === 'memory_write') fillFrom(builder, inputs, MEMORY_RECORDS, (records) => ({ records }));
  fillGaps(builder, 'inputs', inputs);
  // The variables of a prompt template are beside the inputs, and are none.
  if (Object.keys(inputs).some((key) => key !== 'variables')) {
    builder.contestSlot(INPUT);
    if (type !== 'tool') builder.contestSlot(TOOL_ARGUMENTS);
    return withLoneInstructions(builder, inputs);
  }
  const args = builder.value(TOOL_ARGUMENTS);
  if (args !== undefined) builder.contestSlot(INPUT);
  const whole = args ?? wholeInput(builder) ?? (isRoot ? builder.value(TRACE_INPUT) : undefined);
  if (whole === undefined) fillAll(inputs, silentHistory(builder));
  else if (fillAll(inputs, read(INPUT, whole))) builder.contestSlot(INPUT);
  return withLoneInstructions(builder, inputs);
}

function fillHistory(builder: SpanBuilder, inputs: JsonObject, type: EventType): void {
  const history = (builder.value(HISTORY) ?? []) as Message[];
  if (history.length === 0) return;
  if (isSilent(history)) return builder.contestSlot(HISTORY);
  const isEmbedding = builder.text(SHAPE) === 'embedding';
  const asTool = type === 'tool' ? toolInputs(history) : undefined;
  const instructions = builder.value(INSTRUCTIONS);
  const differs = fillAll(inputs, asTool ?? historyInputs(builder, history, isEmbedding, instructions));
  if (!differs && !isEmbedding && asTool === undefined) return;
  for (const slot of [HISTORY, INSTRUCTIONS]) builder.contestSlot(slot);
}

function historyInputs(
  builder: SpanBuilder,
  history: Message[],
  isEmbedding: boolean,
  instructions: JsonValue | undefined,
): JsonObject {
  const complete = isEmbedding
    ? history
    : completeMessages(history, () => messagesOfInput(wholeInput(builder)));
  if (!isEmbedding)
    return {
      chat_history: instructions === undefined ? complete : withInstructions(complete, instructions),
    };
  return builder.has(INPUTS_INPUT) ? {} : { input: only(history.map((message) => message.content)) };
}

/** The history when none of its messages says anything, for a span without other inputs. */
function silentHistory(builder: SpanBuilder): JsonObject {
  const history = builder.value(HISTORY) as Message[] | undefined;
  return history === undefined || builder.text(SHAPE) === 'embedding' ? {} : { chat_history: history };
}

/** On a tool span, a message with a tool call contains the arguments, and a tool message is the input. */
function toolInputs(history: readonly Message[]): JsonObject | undefined {
  const only = history.length === 1 ? history[0] : undefined;
  if (only === undefined) return undefined;
  const calls = only['tool_calls'];
  const call = Array.isArray(calls) ? calls[0] : undefined;
  if (isJsonObject(call)) return asObjectOrValue(call['arguments'] ?? {});
  return only.role === 'tool' ? asObjectOrValue(only.content) : undefined;
}

function only(values: readonly JsonValue[]): JsonValue {
  return values.length === 1 ? (values[0] as JsonValue) : [...values];
}

/**
 * Adds the system instructions of a span without a history of its own: they are not the inputs, but precede
 * them.
 */
function withLoneInstructions(builder: SpanBuilder, inputs: JsonObject): JsonObject {
  const instructions = builder.value(INSTRUCTIONS);
  const history = (builder.value(HISTORY) ?? []) as Message[];
  if (instructions === undefined || !isSilent(history)) return inputs;
  const { chat_history: known, value, ...others } = inputs;
  const messages = known ?? (value === undefined ? [] : messagesIn(value));
  if (messages === undefined) return { ...inputs, chat_history: withInstructions([], instructions) };
  if (!Array.isArray(messages) || messages.some((message) => !isJsonObject(message))) {
    builder.contestSlot(INSTRUCTIONS);
    return inputs;
  }
  const kept = known === undefined || value === undefined ? others : { ...others, value };
  return { ...kept, chat_history: withInstructions(messages as Message[], instructions) };
}

/** Messages of an unstructured input; a text is what the user said. */
function messagesIn(value: JsonValue): Message[] | undefined {
  return typeof value === 'string' ? [{ role: 'user', content: value }] : readMessagesStrictly(value, 'user');
}

function withInstructions(history: readonly Message[], instructions: JsonValue): Message[] {
  const first = history[0];
  const isThere = first?.role === 'system' && JSON.stringify(first.content) === JSON.stringify(instructions);
  return isThere ? [...history] : [{ role: 'system', content: instructions }, ...history];
}
