import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { readMessages } from '../chat/read-messages.js';
import { parsed } from '../json/parse-json.js';
import { CHOICE_EVENT, choiceOfBody, MESSAGE_EVENTS, messagesOfBody } from './gen-ai-events.js';

/** JSON text of a list of message events, each `{event.name, role?, content?, …}`, with the response last. */
export function asMessageEvents(value: JsonValue): JsonValue | undefined {
  const list = parsed(value);
  if (!Array.isArray(list)) return undefined;
  const bodies = list.filter(isJsonObject);
  const responses = bodies
    .filter((body) => body['event.name'] === CHOICE_EVENT)
    .flatMap((body) => choiceOfBody(body).messages);
  const history = bodies.filter((body) => body['event.name'] !== CHOICE_EVENT).flatMap(messagesOf);
  return { 'fact.history': history, 'fact.output_messages': responses };
}

function messagesOf(body: JsonObject): Message[] {
  const name = body['event.name'];
  const role =
    typeof name === 'string' && Object.hasOwn(MESSAGE_EVENTS, name) ? MESSAGE_EVENTS[name] : undefined;
  return messagesOfBody(body, role ?? 'user');
}

/**
 * Like {@link asMessageEvents}, for an agent without a choice: assistant messages after the last user message
 * are the response.
 */
export function asAgentEvents(value: JsonValue): JsonValue | undefined {
  const list = parsed(value);
  return Array.isArray(list) ? splitAnswer(list.filter(isJsonObject).flatMap(messagesOf)) : undefined;
}

/** All messages of an agent, as parts. */
export function asAgentMessages(value: JsonValue): JsonValue | undefined {
  const messages = readMessages(value, 'user');
  return messages === undefined ? undefined : splitAnswer(messages);
}

function splitAnswer(messages: readonly Message[]): JsonObject {
  const lastQuestion = messages.findLastIndex((message) => message.role !== 'assistant');
  const response = messages.slice(lastQuestion + 1).filter((message) => message['tool_calls'] === undefined);
  return { 'fact.history': messages.slice(0, lastQuestion + 1), 'fact.agent_answer': response.slice(-1) };
}

/** Tools and output mode. */
export function asRequestParameters(value: JsonValue): JsonValue | undefined {
  const parameters = parsed(value);
  if (!isJsonObject(parameters)) return undefined;
  return {
    'config.tools': parameters['function_tools'] ?? null,
    'config.output_tools': parameters['output_tools'] ?? null,
    'config.output_mode': parameters['output_mode'] ?? null,
  };
}
