/** Characters that are handled in one step. */
export const CHUNK_LENGTH = 65_536;

/** A code point above this is written as two characters. */
const LARGEST_UNIT = 0xffff;

/** Cuts a text into parts of about {@link CHUNK_LENGTH} characters, none of them within a surrogate pair. */
export function* chunksOfText(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let end = Math.min(from + CHUNK_LENGTH, text.length);
    if ((text.codePointAt(end - 1) ?? 0) > LARGEST_UNIT) end++;
    yield text.slice(from, end);
    from = end;
  }
}
