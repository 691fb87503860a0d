import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { readMessages } from '../chat/read-messages.js';
import { parsed } from '../json/parse-json.js';
import { asText } from './readers.js';
import { CHOICE_EVENT, choiceOfBody, MESSAGE_EVENTS, messagesOfBody } from './gen-ai-events.js';

/**
 * JSON text of a list of message events, each `{event.name, role?, content?, …}`, with the response last.
 * Without a choice, as for the Responses API, the assistant messages at the end are the response.
 */
export function asMessageEvents(value: JsonValue): JsonValue | undefined {
  const list = parsed(value);
  if (!Array.isArray(list)) return undefined;
  const bodies = bodiesOf(list);
  const responses = bodies
    .filter((body) => body['event.name'] === CHOICE_EVENT)
    .flatMap((body) => choiceOfBody(body).messages);
  const history = bodies.filter((body) => body['event.name'] !== CHOICE_EVENT).flatMap(messagesOf);
  if (responses.length > 0) return { 'fact.history': history, 'fact.output_messages': responses };
  const end = history.findLastIndex((message) => message.role !== 'assistant') + 1;
  return { 'fact.history': history.slice(0, end), 'fact.output_messages': joined(history.slice(end)) };
}

/** Items of one response as one message; contents that are not all text stay separate. */
function joined(items: readonly Message[]): Message[] {
  const isJoinable = items.every(({ content }) => content === null || typeof content === 'string');
  if (items.length < 2 || !isJoinable) return [...items];
  const contents = items.flatMap(({ content }) => (typeof content === 'string' ? content : []));
  const lists = ['tool_calls', 'details'].flatMap((key): [string, JsonValue][] => {
    const all = items.flatMap((item): JsonValue[] => (item[key] as JsonValue[] | undefined) ?? []);
    return all.length === 0 ? [] : [[key, all]];
  });
  const reasoning = items.flatMap(({ reasoning: text }) => (typeof text === 'string' ? text : []));
  return [
    {
      ...items.reduce((all, item) => ({ ...all, ...item })),
      role: 'assistant',
      content: contents.length === 0 ? null : contents.join('\n'),
      ...Object.fromEntries(lists),
      ...(reasoning.length > 0 && { reasoning: reasoning.join('\n') }),
    },
  ];
}

/** Entries of a list of events; any other value is the content of one. */
function bodiesOf(list: readonly JsonValue[]): JsonObject[] {
  return list.flatMap((entry): JsonObject[] => {
    if (isJsonObject(entry)) return [entry];
    return entry === null ? [] : [{ content: entry }];
  });
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
  return Array.isArray(list) ? splitAnswer(bodiesOf(list).flatMap(messagesOf)) : undefined;
}

/** All messages of an agent, as parts. */
export function asAgentMessages(value: JsonValue): JsonValue | undefined {
  const messages = readMessages(value, 'user');
  return messages === undefined ? undefined : splitAnswer(messages);
}

function splitAnswer(messages: readonly Message[]): JsonObject {
  const lastQuestion = messages.findLastIndex((message) => message.role !== 'assistant');
  const answer = messages.slice(lastQuestion + 1).findLast((message) => message['tool_calls'] === undefined);
  return {
    'fact.history': messages.filter((message) => message !== answer),
    'fact.agent_answer': answer === undefined ? [] : [answer],
  };
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

/** Error text: a text, or the message of an object. */
export function asErrorText(value: JsonValue): JsonValue | undefined {
  const error = parsed(value);
  return isJsonObject(error) ? asText(error['message'] ?? null) : asText(error);
}
