/** Numbers that are the same in every run. */
function* numbers(): Generator<number, never> {
  for (let state = 1; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 16;
  }
}

/**
 * The content of the files beside this one: spans as an exporter writes them, bytes that do not compress, and zeros. So the
 * files have every type of block and literals. They were written by the command `zstd` 1.5, with the options in their names.
 */
export function zstdContent(): Buffer {
  const random = numbers();
  const spans = Array.from({ length: 900 }, (_, index) => ({
    spanId: `${random.next().value.toString(16)}${random.next().value.toString(16)}`,
    name: index % 7 === 0 ? 'chat gpt-4o' : 'POST /v1/chat/completions',
    startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(index * 1_000_003)),
    attributes: [{ key: 'gen_ai.usage.input_tokens', value: { intValue: String(random.next().value) } }],
  }));
  const noise = Buffer.from(Array.from({ length: 8_000 }, () => random.next().value & 255));
  return Buffer.concat([Buffer.from(JSON.stringify(spans)), noise, Buffer.alloc(300_000)]);
}
