import { isJsonObject, setOwn, type JsonValue } from '@assay/domain';
import { isNothing } from '../json/is-nothing.js';
import type { Message } from './message.js';
import { isBarePart } from './part-kinds.js';

/**
 * Joins the messages of a list in which the parts of one response are items beside each other, as the Responses API returns them:
 * reasoning, a message and tool calls are one message of the assistant.
 */
export class TurnJoiner {
  readonly messages: Message[] = [];
  private endsInPart = false;
  /** The last message while it consists of several: items are added to it, because copying it for each would be quadratic. */
  private joined: JoinedMessage | undefined;

  /** @param item that the messages were read from */
  add(item: JsonValue, messages: readonly Message[]): void {
    const isPart = isJsonObject(item) && isBarePart(item);
    for (const message of messages) {
      if (isPart || this.endsInPart) this.join(message);
      else this.append(message);
      this.endsInPart = isPart;
    }
  }

  private append(message: Message): void {
    this.messages.push(message);
    this.joined = undefined;
  }

  private join(message: Message): void {
    const last = this.messages.at(-1);
    if (last?.role !== 'assistant' || message.role !== 'assistant') return this.append(message);
    if (this.joined === undefined) {
      this.joined = new JoinedMessage(last);
      this.messages[this.messages.length - 1] = this.joined.message;
    }
    this.joined.add(message);
  }
}

class JoinedMessage {
  readonly message: Message;
  private readonly lists = new Map<string, JsonValue[]>();

  constructor(first: Message) {
    this.message = { ...first };
  }

  add({ role: _, content, reasoning, ...others }: Message): void {
    const { message } = this;
    this.addContent(content);
    if (typeof reasoning === 'string') {
      const before = message['reasoning'];
      message['reasoning'] = typeof before === 'string' ? `${before}\n${reasoning}` : reasoning;
    }
    for (const key of Object.keys(others)) {
      const value = others[key] as JsonValue;
      if (key === 'tool_calls' || key === 'details') this.addAll(key, value);
      else if (message[key] === undefined) setOwn(message, key, value);
      else if (message[key] !== value) this.list('details').push({ [key]: value });
    }
  }

  private addContent(next: JsonValue): void {
    const { content } = this.message;
    if (isNothing(next)) return;
    if (isNothing(content)) this.message.content = next;
    else if (typeof content === 'string' && typeof next === 'string')
      this.message.content = `${content}\n${next}`;
    else this.addAll('content', next);
  }

  private addAll(key: string, value: JsonValue): void {
    const list = this.list(key);
    for (const item of partsOf(value)) list.push(item);
  }

  /** The list under a key, which belongs to this message. */
  private list(key: string): JsonValue[] {
    const own = this.lists.get(key);
    if (own !== undefined && this.message[key] === own) return own;
    const known = this.message[key];
    const list = known === undefined ? [] : partsOf(known);
    this.lists.set(key, list);
    this.message[key] = list;
    return list;
  }
}

/** The items of a list, or a text as a part of a content, in a list of their own. */
function partsOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return [...value];
  return [typeof value === 'string' ? { type: 'text', text: value } : value];
}
