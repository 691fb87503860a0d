/** A length as the engine reads it before a text or a list, in LEB128. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** A text as the engine reads it. */
export function textBytes(text: string | Buffer): Buffer[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return [varint(bytes.length), bytes];
}
