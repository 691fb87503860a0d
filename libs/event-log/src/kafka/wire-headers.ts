import type { IHeaders } from 'kafkajs';

/**
 * The one header that a message carries: all headers of the record as a JSON object. kafkajs' decoder mistakes names that every object has, such as
 * `constructor`, and takes 1.5 µs for each header.
 */
const NAME = 'headers';

export function toWireHeaders(headers: Readonly<Record<string, string>>): { [NAME]: string } {
  return { [NAME]: JSON.stringify(headers) };
}

/** The headers that {@link toWireHeaders} was given; none for a message that others have written. */
export function fromWireHeaders(headers: IHeaders | undefined): Record<string, string> {
  try {
    return JSON.parse(headers?.[NAME]?.toString() ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}
