import type { IHeaders } from 'kafkajs';

/**
 * Name of the only header of a message, which holds all headers of the record as a JSON object. The decoder
 * of kafkajs mishandles names that every object inherits, such as `constructor`, and takes 1.5 µs per header.
 */
const NAME = 'headers';

export function toWireHeaders(headers: Readonly<Record<string, string>>): { [NAME]: string } {
  return { [NAME]: JSON.stringify(headers) };
}

/** Returns the headers passed to {@link toWireHeaders}; none for a message of another producer. */
export function fromWireHeaders(headers: IHeaders | undefined): Record<string, string> {
  try {
    return JSON.parse(headers?.[NAME]?.toString() ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}
