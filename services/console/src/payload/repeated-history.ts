import type { Exchange, Message, MessagePart } from './message.js';

/** Messages of a model call that the call before had already, and those that are new. */
export interface FreshMessages {
  readonly repeated: number;
  readonly fresh: readonly Message[];
}

/**
 * Separates repeated history from what is new: the messages that begin like the conversation of the call before, including its
 * response. A client that drops old messages in the middle repeats the end of it.
 */
export function freshMessages(asked: readonly Message[], before: Exchange | undefined): FreshMessages {
  if (before === undefined) return { repeated: 0, fresh: asked };
  const known = [...before.asked, ...before.answered].map(fingerprint);
  const given = asked.map(fingerprint);
  let repeated = 0;
  while (repeated < given.length && given[repeated] === known[repeated]) repeated++;
  repeated += repeatedEnd(given, known, repeated);
  return { repeated, fresh: asked.slice(repeated) };
}

/** How many messages from `from` on are the end of what is known, after a gap. */
function repeatedEnd(given: readonly string[], known: readonly string[], from: number): number {
  for (let gap = from + 1; gap < known.length; gap++) {
    const end = known.length - gap;
    if (from + end > given.length) continue;
    if (known.slice(gap).every((one, at) => one === given[from + at])) return end;
  }
  return 0;
}

/** What makes two messages equal for a reader. Responses lose reasoning and details on their way back into a history. */
function fingerprint({ role, callId, parts }: Message): string {
  const content = parts.flatMap((part) => (part.kind === 'reasoning' ? [] : [withoutOffsets(part)]));
  return JSON.stringify([role, callId, content]);
}

/** Cut texts are compared by their beginning and length. */
function withoutOffsets(part: MessagePart): object {
  return 'rest' in part && part.rest !== undefined
    ? { ...part, rest: part.rest.end - part.rest.start }
    : part;
}
