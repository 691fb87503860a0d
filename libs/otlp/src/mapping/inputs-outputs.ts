import { isJsonObject, type EventType, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { outputsOf as flattenMessages } from '../chat/output.js';
import { readMessagesStrictly } from '../chat/read-messages.js';
import { parsed } from '../json/parse-json.js';
import { fillAll, fillExplicit, fillGaps, fillSlots } from './bucket.js';
import type { SpanBuilder } from './span-builder.js';
import { slotOf, type Slot } from './slots.js';

const HISTORY = slotOf('fact.history');
const INSTRUCTIONS = slotOf('fact.instructions');
const OUTPUT_MESSAGES = slotOf('fact.output_messages');
const TOOL_ARGUMENTS = slotOf('fact.tool_arguments');
const TOOL_RESULT = slotOf('fact.tool_result');
const INPUT = slotOf('fact.input');
const OUTPUT = slotOf('fact.output');
const INPUT_MIME = slotOf('metadata.input_mime_type');
const OUTPUT_MIME = slotOf('metadata.output_mime_type');
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

/**
 * Inputs of an event, by precedence: explicit values, tool arguments, messages and named inputs, unstructured
 * input.
 */
export function composeInputs(builder: SpanBuilder, type: EventType, isRoot: boolean): JsonObject {
  const inputs: JsonObject = {};
  const shape = builder.text(SHAPE);
  fillExplicit(builder, 'inputs', inputs);
  const explicit = builder.value(USER_INPUT);
  if (explicit !== undefined) fillAll(inputs, inputsFrom(explicit, type, shape));
  const args = builder.value(TOOL_ARGUMENTS);
  if (args !== undefined && type === 'tool') fillAll(inputs, asObjectOrValue(args));
  fillHistory(builder, inputs, type);
  fillSlots(builder, 'inputs', inputs);
  fillGaps(builder, 'inputs', inputs);
  if (Object.keys(inputs).length > 0) return inputs;
  const whole =
    args ??
    wholeValue(builder, INPUT, INPUT_MIME, 'input.value') ??
    (isRoot ? builder.value(TRACE_INPUT) : undefined);
  return whole === undefined ? inputs : inputsFrom(whole, type, shape);
}

/** Outputs of an event, by the same precedence. */
export function composeOutputs(builder: SpanBuilder, type: EventType, isRoot: boolean): JsonObject {
  const outputs: JsonObject = {};
  const shape = builder.text(SHAPE);
  const reasons = finishReasons(builder);
  fillExplicit(builder, 'outputs', outputs);
  const explicit = builder.value(USER_OUTPUT);
  if (explicit !== undefined) fillAll(outputs, outputsFrom(explicit, type, shape, reasons));
  const result = builder.value(TOOL_RESULT);
  if (result !== undefined && type === 'tool') fillAll(outputs, asObjectOrValue(result));
  fillMessages(builder, outputs, type, reasons);
  fillSlots(builder, 'outputs', outputs);
  fillGaps(builder, 'outputs', outputs);
  if (Object.keys(outputs).length > 0) return outputs;
  const whole =
    result ??
    wholeValue(builder, OUTPUT, OUTPUT_MIME, 'output.value') ??
    (isRoot ? builder.value(TRACE_OUTPUT) : undefined);
  return whole === undefined ? outputs : outputsFrom(whole, type, shape, reasons);
}

/** Output messages, the result of an agent, or the response among the messages of an agent. */
function fillMessages(
  builder: SpanBuilder,
  outputs: JsonObject,
  type: EventType,
  reasons: readonly string[],
): void {
  const messages = (builder.value(OUTPUT_MESSAGES) ?? responseFromParts(builder)) as Message[] | undefined;
  const result = builder.value(AGENT_RESULT);
  const response = builder.value(AGENT_ANSWER) as Message[] | undefined;
  if (messages !== undefined)
    fillAll(
      outputs,
      (type === 'tool' ? toolOutputs(messages) : undefined) ?? flattenMessages(messages, reasons),
    );
  else if (result !== undefined) fillAll(outputs, asObjectOrValue(result));
  else if (response !== undefined) fillAll(outputs, flattenMessages(response, reasons));
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
  const object = parsed(value);
  return isJsonObject(object) ? object : { value: object };
}

function fillHistory(builder: SpanBuilder, inputs: JsonObject, type: EventType): void {
  const history = (builder.value(HISTORY) ?? []) as Message[];
  const asTool = type === 'tool' ? toolInputs(history) : undefined;
  if (asTool !== undefined) return fillAll(inputs, asTool);
  const instructions = builder.value(INSTRUCTIONS);
  if (builder.text(SHAPE) === 'embedding' && history.length > 0) {
    if (!builder.has(INPUTS_INPUT))
      fillAll(inputs, { input: only(history.map((message) => message.content)) });
    return;
  }
  const messages = instructions === undefined ? history : withInstructions(history, instructions);
  if (messages.length > 0) fillAll(inputs, { chat_history: messages });
}

function only(values: readonly JsonValue[]): JsonValue {
  return values.length === 1 ? (values[0] as JsonValue) : [...values];
}

function withInstructions(history: readonly Message[], instructions: JsonValue): Message[] {
  const first = history[0];
  const isThere = first?.role === 'system' && JSON.stringify(first.content) === JSON.stringify(instructions);
  return isThere ? [...history] : [{ role: 'system', content: instructions }, ...history];
}

/** Unstructured inputs or outputs: JSON text is parsed unless its MIME type is plain text. */
function wholeValue(builder: SpanBuilder, slot: Slot, mime: Slot, textKey: string): JsonValue | undefined {
  const value = builder.value(slot);
  if (value === undefined) return undefined;
  const isPlainText = builder.sourceKey(slot) === textKey && (builder.text(mime) ?? '').startsWith('text/');
  return isPlainText ? value : parsed(value);
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
  const wrapped = isJsonObject(value) ? (value['messages'] ?? null) : value;
  const messages = readMessagesStrictly(wrapped, 'user');
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

/** Keys under which provider responses wrap their messages. */
const ANSWER_LISTS = ['choices', 'messages', 'output'];

function modelOutputs(value: JsonValue, reasons: readonly string[]): JsonObject {
  if (typeof value === 'string') return flattenMessages([{ role: 'assistant', content: value }], reasons);
  const lists = isJsonObject(value) ? ANSWER_LISTS.map((key) => value[key] ?? null) : [];
  for (const candidate of [value, ...lists]) {
    const messages = readMessagesStrictly(candidate, 'assistant');
    if (messages !== undefined) return flattenMessages(messages, reasons);
  }
  return asObjectOrPlain(value);
}
