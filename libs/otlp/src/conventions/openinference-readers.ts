import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { readMessage } from '../chat/read-message.js';
import { readMessages } from '../chat/read-messages.js';
import { readToolCalls } from '../chat/tool-call.js';
import { textOf } from '../chat/message.js';
import { mergeInner } from '../json/merge-inner.js';
import { parsed } from '../json/parse-json.js';
import { listItems } from '../json/unflatten.js';
import { asProvider } from './providers.js';
import { asNumber } from './readers.js';

/** Object under the key, or the value itself: OpenInference wraps each list item in an extra object. */
function unwrap(value: JsonValue, key: string): JsonObject {
  return isJsonObject(value) ? mergeInner(value, key) : { content: value };
}

/** Unflattened `N.message.…` as messages. */
export function asMessages(role: string): (tree: JsonValue) => JsonValue | undefined {
  return (tree) => {
    const messages = listItems(tree).flatMap((item) =>
      readMessage(plainMessage(unwrap(item, 'message')), role),
    );
    return messages.length > 0 ? messages : undefined;
  };
}

/** Message in the common shape. If `content` and the text of `contents` are equal, one is kept. */
function plainMessage(message: JsonObject): JsonObject {
  const plain: JsonObject = {};
  for (const key of Object.keys(message))
    if (!WRAPPED_FIELDS.has(key)) setOwn(plain, key, message[key] as JsonValue);
  const parts = partsOf(message['contents']);
  const onlyText = parts.every((part) => part['type'] === 'text');
  if (parts.length > 0 && !(onlyText && typeof plain['content'] === 'string')) plain['content'] = parts;
  const calls = readToolCalls(message['tool_calls']);
  const name = message['function_call_name'];
  const args = message['function_call_arguments_json'];
  if (name !== undefined) calls.push(args === undefined ? { name } : { name, arguments: parsed(args) });
  if (calls.length > 0) plain['tool_calls'] = calls;
  return plain;
}

/** Message fields whose shape differs from the common one. */
const WRAPPED_FIELDS = new Set([
  'contents',
  'tool_calls',
  'function_call_name',
  'function_call_arguments_json',
]);

function partsOf(contents: JsonValue | undefined): JsonObject[] {
  return contents === undefined
    ? []
    : listItems(contents).map((item) => plainPart(unwrap(item, 'message_content')));
}

/** Maps `image.image.url` and `audio.audio.url` to fields of the part. */
function plainPart(part: JsonObject): JsonObject {
  for (const kind of ['image', 'audio']) {
    const media = part[kind];
    if (!isJsonObject(media)) continue;
    const { [kind]: _, ...rest } = part;
    return { type: kind, ...rest, ...unwrap(media, kind) };
  }
  return part;
}

/** `N.prompt.text` or `N.completion.text`: one message per item with the given role. */
export function asTexts(wrapper: string, role: string): (tree: JsonValue) => JsonValue | undefined {
  return (tree) => {
    const texts = listItems(tree).flatMap((item) => textOf(unwrap(item, wrapper), 'text') ?? []);
    return texts.length > 0 ? texts.map((content) => ({ role, content })) : undefined;
  };
}

/** `N.tool.json_schema`, each JSON text. */
export function asTools(tree: JsonValue): JsonValue | undefined {
  const tools = listItems(tree).map((item) => {
    const tool = unwrap(item, 'tool');
    return parsed(tool['json_schema'] ?? tool);
  });
  return tools.length > 0 ? tools : undefined;
}

/** `N.document.{id, content, score, metadata}`: the score is a number, the metadata JSON text. */
export function asDocuments(tree: JsonValue): JsonValue | undefined {
  const documents = listItems(tree).map((item) => document(unwrap(item, 'document')));
  return documents.length > 0 ? documents : undefined;
}

function document(fields: JsonObject): JsonObject {
  const { score, metadata } = fields;
  return {
    ...fields,
    ...(score !== undefined && { score: asNumber(score) ?? score }),
    ...(metadata !== undefined && { metadata: parsed(metadata) }),
  };
}

/** `N.embedding.{text, vector}`. */
export function asEmbeddings(tree: JsonValue): JsonValue | undefined {
  const items = listItems(tree).map((item) => unwrap(item, 'embedding'));
  const texts = items.flatMap((item) => item['text'] ?? []);
  const vectors = items.flatMap((item) => (item['vector'] === undefined ? [] : [parsed(item['vector'])]));
  const others = items.map(({ text: _, vector: __, ...rest }): JsonValue => rest);
  return {
    ...(texts.length > 0 && { 'inputs.input': texts.length === 1 ? (texts[0] as JsonValue) : texts }),
    ...(vectors.length > 0 && { 'outputs.embeddings': vectors }),
    ...(others.some((rest) => Object.keys(rest as JsonObject).length > 0) && {
      'metadata.embedding_details': others,
    }),
  };
}

const ANSWER_FACTS = {
  id: 'response_id',
  created: 'response_created',
  system_fingerprint: 'system_fingerprint',
  service_tier: 'service_tier',
};

/**
 * Fields of an OpenAI-shaped response that no attribute repeats. Its messages are read from other attributes.
 */
export function asAnswerFacts(value: JsonValue): JsonValue | undefined {
  const response = parsed(value);
  if (!isJsonObject(response) || !Array.isArray(response['choices'])) return undefined;
  const facts: JsonObject = {};
  for (const [name, key] of Object.entries(ANSWER_FACTS)) {
    const fact = response[name];
    if (typeof fact === 'string' || typeof fact === 'number') facts[`metadata.${key}`] = fact;
  }
  return facts;
}

/** Messages among the invocation parameters, for a span without other messages. */
export function asParameterMessages(value: JsonValue): JsonValue | undefined {
  const parameters = parsed(value);
  const messages = isJsonObject(parameters) ? parameters['messages'] : undefined;
  return messages === undefined ? undefined : readMessages(messages, 'user');
}

/** Invocation parameters without messages, see {@link asParameterMessages}. */
export function asParameters(value: JsonValue): JsonValue | undefined {
  const parameters = parsed(value);
  if (!isJsonObject(parameters)) return undefined;
  const { messages: _, ...rest } = parameters;
  return rest;
}

/**
 * `N.evaluation.{name, score, label, explanation}` or `N.annotation.…`: human evaluations become feedback,
 * others metrics.
 */
export function asEvaluations(wrapper: string): (tree: JsonValue) => JsonValue | undefined {
  return (tree) => {
    const metrics: JsonObject = {};
    const feedback: JsonObject = {};
    const evaluations = listItems(tree).map((item) => unwrap(item, wrapper));
    for (const evaluation of evaluations) {
      const name = textOf(evaluation, 'name');
      const score = evaluation['score'] ?? evaluation['label'];
      if (name === undefined || score === undefined) continue;
      setOwn(evaluation['annotator_kind'] === 'HUMAN' ? feedback : metrics, name, asNumber(score) ?? score);
    }
    return { 'metrics.*': metrics, 'feedback.*': feedback, 'metadata.evaluations': evaluations };
  };
}

/** Session or thread id in the JSON metadata of a span. */
export function asThread(value: JsonValue): JsonValue | undefined {
  const metadata = parsed(value);
  return isJsonObject(metadata) ? textOf(metadata, 'session_id', 'thread_id') : undefined;
}

/** The provider that LangChain names in the JSON metadata of a model call. */
export function asProviderOfModel(value: JsonValue): string | undefined {
  if (typeof value === 'string' && !value.includes('"ls_provider"')) return undefined;
  const metadata = parsed(value);
  return isJsonObject(metadata) ? asProvider(metadata['ls_provider'] ?? null) : undefined;
}
