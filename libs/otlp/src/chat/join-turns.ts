import { isJsonObject, type JsonValue } from '@assay/domain';
import { isNothing } from '../json/is-nothing.js';
import { setOwn } from '../json/set-own.js';
import type { Message } from './message.js';
import { isBarePart } from './part-kinds.js';

/** Fields of a message that are lists. */
const LISTS = ['tool_calls', 'details'] as const;

/**
 * Joins the messages of a list in which the parts of one response are items beside each other, as the Responses API returns them:
 * reasoning, a message and tool calls are one message of the assistant.
 */
export class TurnJoiner {
  readonly messages: Message[] = [];
  private endsInPart = false;

  /** @param item that the messages were read from */
  add(item: JsonValue, messages: readonly Message[]): void {
    const isPart = isJsonObject(item) && isBarePart(item);
    for (const message of messages) {
      const last = this.messages.at(-1);
      const both = last !== undefined && (isPart || this.endsInPart) ? joined(last, message) : undefined;
      if (both === undefined) this.messages.push(message);
      else this.messages[this.messages.length - 1] = both;
      this.endsInPart = isPart;
    }
  }
}

/** One message of both; undefined where they are of different turns. */
function joined(one: Message, next: Message): Message | undefined {
  if (one.role !== 'assistant' || next.role !== 'assistant') return undefined;
  const { content, reasoning, ...others } = next;
  const both: Message = { ...one, content: joinContent(one.content, content) };
  const thoughts = [one['reasoning'], reasoning].filter((text) => typeof text === 'string');
  if (thoughts.length > 0) both['reasoning'] = thoughts.join('\n');
  for (const key of Object.keys(others)) {
    const value = others[key] as JsonValue;
    const known = both[key];
    if ((LISTS as readonly string[]).includes(key)) both[key] = [...listOf(known), ...listOf(value)];
    else if (known === undefined) setOwn(both, key, value);
    else if (known !== value) both['details'] = [...listOf(both['details']), { [key]: value }];
  }
  return both;
}

function joinContent(one: JsonValue, next: JsonValue): JsonValue {
  if (isNothing(one)) return next;
  if (isNothing(next)) return one;
  if (typeof one === 'string' && typeof next === 'string') return `${one}\n${next}`;
  return [...partsOf(one), ...partsOf(next)];
}

function partsOf(content: JsonValue): readonly JsonValue[] {
  if (Array.isArray(content)) return content;
  return [typeof content === 'string' ? { type: 'text', text: content } : content];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
