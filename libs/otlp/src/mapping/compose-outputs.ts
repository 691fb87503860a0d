import { isJsonObject, plainText, type EventType, type JsonObject, type JsonValue } from '@assay/domain';
import { completeMessages } from '../chat/complete-messages.js';
import { isSilent, type Message } from '../chat/message.js';
import { outputsOf as flattenMessages } from '../chat/output.js';
import { readMessagesStrictly } from '../chat/read-messages.js';
import { isNothing } from '../json/is-nothing.js';
import { parsed } from '../json/parse-json.js';
import { fillAll, fillExplicit, fillGaps, fillSlots } from './bucket.js';
import { readToolCalls } from '../chat/tool-call.js';
import { listItems } from '../json/unflatten.js';
import type { SpanBuilder } from './span-builder.js';
import { slotOf, type Slot } from './slots.js';
import { ANSWER_LISTS, messagesOfInput, messagesOfOutput, wholeInput, wholeOutput } from './whole-value.js';

const HISTORY = slotOf('fact.history');
const INSTRUCTIONS = slotOf('fact.instructions');
const OUTPUT_MESSAGES = slotOf('fact.output_messages');
const TOOL_ARGUMENTS = slotOf('fact.tool_arguments');
const TOOL_RESULT = slotOf('fact.tool_result');
const INPUT = slotOf('fact.input');
const OUTPUT = slotOf('fact.output');
const INPUTS_INPUT = slotOf('inputs.input');
const ANSWER_TEXT = slotOf('fact.answer_text');
const ANSWER_CALLS = slotOf('fact.answer_calls');
const ANSWER_REASONING = slotOf('fact.answer_reasoning');
const FINISH_REASONS = slotOf('metadata.finish_reasons');
const USER_INPUT = slotOf('fact.user_input');
const USER_OUTPUT = slotOf('fact.user_output');
const TRACE_INPUT = slotOf('fact.trace_input');
const TRACE_OUTPUT = slotOf('fact.trace_output');
const AGENT_RESULT = slotOf('fact.agent_result');
const AGENT_ANSWER = slotOf('fact.agent_answer');
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
  fillFrom(builder, inputs, USER_INPUT, (value) => inputsFrom(value, type, shape));
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
  else if (fillAll(inputs, inputsFrom(whole, type, shape))) builder.contestSlot(INPUT);
  return withLoneInstructions(builder, inputs);
}

/** Fills the keys that are absent from the value of a slot. */
function fillFrom(
  builder: SpanBuilder,
  bucket: JsonObject,
  slot: Slot,
  read: (value: JsonValue) => JsonObject,
): void {
  const value = builder.value(slot);
  if (value !== undefined && fillAll(bucket, read(value))) builder.contestSlot(slot);
}

/** Outputs of an event, by the same precedence. */
export function composeOutputs(builder: SpanBuilder, type: EventType, isRoot: boolean): JsonObject {
  const outputs: JsonObject = {};
  const shape = builder.text(SHAPE);
  const reasons = finishReasons(builder);
  fillExplicit(builder, 'outputs', outputs);
  const read = (value: JsonValue) => outputsFrom(value, type, shape, reasons);
  if (isJsonObject(builder.value(USER_OUTPUT))) builder.contestSlot(USER_OUTPUT);
  fillFrom(builder, outputs, USER_OUTPUT, read);
  if (type === 'tool') fillFrom(builder, outputs, TOOL_RESULT, asObjectOrValue);
  fillMessages(builder, outputs, type, reasons);
  fillSlots(builder, 'outputs', outputs);
  if (shape !== 'memory_write') fillFrom(builder, outputs, MEMORY_RECORDS, (records) => ({ records }));
  fillGaps(builder, 'outputs', outputs);
  if (Object.keys(outputs).length > 0) {
    builder.contestSlot(OUTPUT);
    if (type !== 'tool') builder.contestSlot(TOOL_RESULT);
    return outputs;
  }
  const result = builder.value(TOOL_RESULT);
  const whole = result ?? wholeOutput(builder) ?? (isRoot ? builder.value(TRACE_OUTPUT) : undefined);
  if (result !== undefined || isJsonObject(whole))
    for (const slot of [TOOL_RESULT, OUTPUT]) builder.contestSlot(slot);
  if (whole !== undefined) return read(whole);
  const silent = builder.value(OUTPUT_MESSAGES) as Message[] | undefined;
  return silent === undefined ? outputs : flattenMessages(silent, reasons);
}

/** Output messages, the result of an agent, or the response among the messages of an agent. */
function fillMessages(
  builder: SpanBuilder,
  outputs: JsonObject,
  type: EventType,
  reasons: readonly string[],
): void {
  const messages = spokenMessages(builder);
  const parts = responseFromParts(builder);
  const result = builder.value(AGENT_RESULT);
  const response = builder.value(AGENT_ANSWER) as Message[] | undefined;
  const chosen = messages ?? parts;
  if (messages === undefined || parts !== undefined || result !== undefined || response !== undefined)
    contestOutranked(builder, { messages, parts, result });
  if (chosen !== undefined) fillResponse(builder, outputs, chosen, { type, reasons });
  else if (result !== undefined) fillFrom(builder, outputs, AGENT_RESULT, asObjectOrValue);
  else if (response !== undefined)
    fillFrom(builder, outputs, AGENT_ANSWER, () => flattenMessages(response, reasons));
}

/** Output messages, unless none of them says anything. */
function spokenMessages(builder: SpanBuilder): Message[] | undefined {
  const sent = builder.value(OUTPUT_MESSAGES) as Message[] | undefined;
  if (sent === undefined || isSilent(sent)) return undefined;
  return completeMessages(sent, () => messagesOfOutput(wholeOutput(builder)));
}

function fillResponse(
  builder: SpanBuilder,
  outputs: JsonObject,
  messages: readonly Message[],
  { type, reasons }: { type: EventType; reasons: readonly string[] },
): void {
  const asTool = type === 'tool' ? toolOutputs(messages) : undefined;
  const differs = fillAll(outputs, asTool ?? flattenMessages(messages, reasons));
  if (differs || asTool !== undefined)
    for (const slot of [OUTPUT_MESSAGES, ...ANSWER_PARTS]) builder.contestSlot(slot);
}

const ANSWER_PARTS = [ANSWER_TEXT, ANSWER_CALLS, ANSWER_REASONING];

/** Contests the sources of a response that another source outranks. */
function contestOutranked(
  builder: SpanBuilder,
  found: { messages: Message[] | undefined; parts: Message[] | undefined; result: JsonValue | undefined },
): void {
  const { messages, parts, result } = found;
  if (messages === undefined) builder.contestSlot(OUTPUT_MESSAGES);
  else for (const slot of ANSWER_PARTS) builder.contestSlot(slot);
  const hasMessages = messages !== undefined || parts !== undefined;
  if (hasMessages) builder.contestSlot(AGENT_RESULT);
  if (hasMessages || result !== undefined) builder.contestSlot(AGENT_ANSWER);
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

/** On a tool span, the only output message is the result. */
function toolOutputs(messages: readonly Message[]): JsonObject | undefined {
  const only = messages.length === 1 ? messages[0] : undefined;
  return only === undefined || only['tool_calls'] !== undefined ? undefined : asObjectOrValue(only.content);
}

/** Response sent as text, tool calls and reasoning in separate attributes. */
function responseFromParts(builder: SpanBuilder): Message[] | undefined {
  const text = builder.value(ANSWER_TEXT);
  const calls = builder.value(ANSWER_CALLS);
  const reasoning = builder.value(ANSWER_REASONING);
  if (text === undefined && calls === undefined && reasoning === undefined) return undefined;
  const message: Message = { role: 'assistant', content: text ?? null };
  if (calls !== undefined) message['tool_calls'] = calls;
  if (reasoning !== undefined) message['reasoning'] = reasoning;
  return [message];
}

/** Finish reasons of the choices. */
export function finishReasons(builder: SpanBuilder): string[] {
  const reasons = builder.value(FINISH_REASONS);
  return Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [];
}

function asObjectOrValue(value: JsonValue): JsonObject {
  const object = parsed(plainText(value));
  return isJsonObject(object) ? object : { value: object };
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

function only(values: readonly JsonValue[]): JsonValue {
  return values.length === 1 ? (values[0] as JsonValue) : [...values];
}

function withInstructions(history: readonly Message[], instructions: JsonValue): Message[] {
  const first = history[0];
  const isThere = first?.role === 'system' && JSON.stringify(first.content) === JSON.stringify(instructions);
  return isThere ? [...history] : [{ role: 'system', content: instructions }, ...history];
}

function inputsFrom(value: JsonValue, type: EventType, shape: string | undefined): JsonObject {
  if (shape === 'embedding' && !isJsonObject(value)) return { input: value };
  if (shape === 'retrieval' && typeof value === 'string') return { query: value };
  return type === 'model' ? modelInputs(value) : asObjectOrPlain(value);
}

function asObjectOrPlain(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : { value };
}

function modelInputs(value: JsonValue): JsonObject {
  if (typeof value === 'string') return { chat_history: [{ role: 'user', content: value }] };
  const messages = messagesOfInput(value);
  if (messages === undefined) return asObjectOrPlain(value);
  if (!isJsonObject(value)) return { chat_history: messages };
  const { messages: _, ...rest } = value;
  return { ...rest, chat_history: messages };
}

function outputsFrom(
  value: JsonValue,
  type: EventType,
  shape: string | undefined,
  reasons: readonly string[],
): JsonObject {
  if (shape === 'retrieval' && Array.isArray(value)) return { documents: value };
  return type === 'model' && shape !== 'embedding' ? modelOutputs(value, reasons) : asObjectOrPlain(value);
}

/** Whether the value is the result of a generation: a text and tool calls beside each other. */
function isGeneration(value: JsonObject): boolean {
  return (
    Object.hasOwn(value, 'text') &&
    !Object.hasOwn(value, 'role') &&
    !ANSWER_LISTS.some((key) => Object.hasOwn(value, key)) &&
    (typeof value['text'] === 'string' || Array.isArray(value['toolCalls']))
  );
}

function generationOutputs(value: JsonObject, reasons: readonly string[]): JsonObject {
  const { text = null, toolCalls = null, reasoning = null, finishReason = null, ...others } = value;
  const calls = readToolCalls(toolCalls);
  const isRead = calls.length === listItems(toolCalls).length;
  const message: Message = {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning !== null && reasoning !== '' && { reasoning }),
    ...(finishReason !== null && { finish_reason: finishReason }),
    ...(!isRead && { toolCalls }),
  };
  const present = Object.entries(others).filter(([, item]) => !isNothing(item));
  return { ...flattenMessages([message], reasons), ...Object.fromEntries(present) };
}

function modelOutputs(value: JsonValue, reasons: readonly string[]): JsonObject {
  if (typeof value === 'string') return flattenMessages([{ role: 'assistant', content: value }], reasons);
  if (isJsonObject(value) && isGeneration(value)) return generationOutputs(value, reasons);
  const messages = messagesOfOutput(value);
  return messages === undefined ? asObjectOrPlain(value) : flattenMessages(messages, reasons);
}
