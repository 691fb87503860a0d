/**
 * Reason why one span is rejected. Internal to the decoders: it becomes an entry of `rejected`. The message
 * names the field.
 */
export class BrokenSpan extends Error {
  override readonly name = 'BrokenSpan';
}

/** JSON text of a part of the body, which may be nested deeper than the stack allows. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    if (cause instanceof RangeError) throw nestedTooDeep();
    throw cause;
  }
}

export function nestedTooDeep(): BrokenSpan {
  return new BrokenSpan('attribute values nested deeper than 64');
}
