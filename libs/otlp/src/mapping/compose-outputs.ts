import { isJsonObject, type EventType, type JsonObject, type JsonValue } from '@assay/domain';
import { completeMessages } from '../chat/complete-messages.js';
import { isSilent, type Message } from '../chat/message.js';
import { outputsOf as flattenMessages } from '../chat/output.js';
import { fillAll, fillExplicit, fillFrom, fillGaps, fillSlots } from './bucket.js';
import { outputsFrom } from './outputs-from.js';
import { slotOf, type Slot } from './slots.js';
import type { SpanBuilder } from './span-builder.js';
import { wholeMessages } from './whole-messages.js';
import { addWholeUsage } from './whole-usage.js';
import { asObjectOrValue, messagesOfOutput, wholeOutput } from './whole-value.js';

const OUTPUT_MESSAGES = slotOf('fact.output_messages');
const TOOL_RESULT = slotOf('fact.tool_result');
const OUTPUT = slotOf('fact.output');
const ANSWER_TEXT = slotOf('fact.answer_text');
const ANSWER_CALLS = slotOf('fact.answer_calls');
const ANSWER_REASONING = slotOf('fact.answer_reasoning');
const FINISH_REASONS = slotOf('metadata.finish_reasons');
const USER_OUTPUT = slotOf('fact.user_output');
const TRACE_OUTPUT = slotOf('fact.trace_output');
const AGENT_RESULT = slotOf('fact.agent_result');
const AGENT_ANSWER = slotOf('fact.agent_answer');
const SHAPE = slotOf('fact.shape');
const MEMORY_RECORDS = slotOf('fact.memory_records');

/** Outputs of an event, by the same precedence. */
export function composeOutputs(builder: SpanBuilder, type: EventType, isRoot: boolean): JsonObject {
  const outputs: JsonObject = {};
  const shape = builder.text(SHAPE);
  const reasons = finishReasons(builder);
  fillExplicit(builder, 'outputs', outputs);
  const read = (slot: Slot, value: JsonValue): JsonObject => {
    const whole = wholeMessages(builder, slot, value, type);
    addWholeUsage(builder, slot, whole, type);
    return whole === undefined ? {} : outputsFrom(whole, type, shape, reasons);
  };
  if (isJsonObject(builder.value(USER_OUTPUT))) builder.contestSlot(USER_OUTPUT);
  fillFrom(builder, outputs, USER_OUTPUT, (value) => read(USER_OUTPUT, value));
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
  if (whole !== undefined) return read(OUTPUT, whole);
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
