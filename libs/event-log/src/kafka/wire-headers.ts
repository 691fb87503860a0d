import type { IHeaders } from 'kafkajs';

/**
 * The one header that a message carries: all headers of the record as a JSON object. kafkajs' decoder mistakes names that every object has, such as
 * `constructor`, and takes 1.5 µs for each header.
 */
const NAME = 'headers';

/** What was made of headers that nobody can change: the records of a project share them. */
const known = new WeakMap<object, IHeaders>();

/** The same frozen headers give the same object. */
export function toWireHeaders(headers: Readonly<Record<string, string>>): IHeaders {
  const found = known.get(headers);
  if (found !== undefined) return found;
  const made = Object.freeze({ [NAME]: JSON.stringify(headers) });
  if (Object.isFrozen(headers)) known.set(headers, made);
  return made;
}

/** The headers that {@link toWireHeaders} was given; none for a message that others have written. */
export function fromWireHeaders(headers: IHeaders | undefined): Record<string, string> {
  try {
    return JSON.parse(headers?.[NAME]?.toString() ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}
