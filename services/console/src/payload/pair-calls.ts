import type { Message } from './message.js';

/** Message with the results of its calls, in the order of the calls. */
export interface Turn {
  readonly message: Message;
  readonly results: readonly (Message | undefined)[];
}

/**
 * Pairs each tool call with its result: by id, and without ids in order. A result whose call is not among the messages is a turn of
 * its own, so that every message is in exactly one turn.
 */
export function pairCalls(messages: readonly Message[]): readonly Turn[] {
  const taken = new Set<Message>();
  return messages.flatMap((message, at) => {
    if (taken.has(message)) return [];
    const results = message.parts.flatMap((part) => {
      if (part.kind !== 'call') return [];
      const result = resultOf(part.id, messages, at, taken);
      if (result !== undefined) taken.add(result);
      return [result];
    });
    return [{ message, results }];
  });
}

function resultOf(id: string, messages: readonly Message[], at: number, taken: ReadonlySet<Message>) {
  for (const message of messages.slice(at + 1)) {
    if (message.role !== 'tool') {
      if (id === '' && message.role === 'assistant') return undefined;
      continue;
    }
    const isAnswer = message.callId === id;
    if (isAnswer && !taken.has(message)) return message;
  }
  return undefined;
}
