/** Numbers in [0, 1). */
export type Random = () => number;

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '__proto__',
  '../../etc/passwd',
  "' OR 1=1 --",
  '{{ range(9) }}',
  0,
  -1,
  1.5,
  1e308,
  2 ** 53 + 2,
  '9223372036854775808',
  '-1',
  [],
  {},
  [[]],
  [null],
  { $ne: null },
  { $gt: '' },
  { constructor: { prototype: { x: 1 } } },
];

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

/** Returns the JSON value with one to four changes: values replaced, removed, duplicated, renamed or wrapped. */
export function mutateJson(value: unknown, random: Random): unknown {
  const times = 1 + Math.floor(random() * 4);
  return Array.from({ length: times }).reduce<unknown>((current) => mutateOnce(current, random), value);
}

function mutateOnce(value: unknown, random: Random): unknown {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf || random() < 0.15) return oddValue(value, random);
  return Array.isArray(value) ? mutateItem(value, random) : mutateEntry(Object.entries(value), random);
}

function oddValue(value: unknown, random: Random): unknown {
  const dice = random();
  if (dice < 0.8) return pick(random, ODD_VALUES);
  if (dice < 0.9) return [value];
  return Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), value);
}

function mutateItem(items: readonly unknown[], random: Random): unknown[] {
  const at = Math.floor(random() * items.length);
  const dice = random();
  if (dice < 0.1) return items.toSpliced(at, 1);
  if (dice < 0.2) return [...items, items[at]];
  return items.with(at, mutateOnce(items[at], random));
}

function mutateEntry(entries: readonly (readonly [string, unknown])[], random: Random): unknown {
  const at = Math.floor(random() * entries.length);
  const [key, value] = entries[at]!;
  const dice = random();
  if (dice < 0.1) return Object.fromEntries(entries.toSpliced(at, 1));
  if (dice < 0.2)
    return Object.fromEntries(
      entries.with(at, [pick(random, ['__proto__', 'constructor', '', 'toString', 'a.b', `${key}x`]), value]),
    );
  return Object.fromEntries(entries.with(at, [key, mutateOnce(value, random)]));
}

/** Returns the bytes with one to eight changes: bits flipped, bytes replaced, the end truncated, ranges removed or duplicated. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const times = 1 + Math.floor(random() * 8);
  return Array.from({ length: times }).reduce<Buffer>(
    (current) => mutateBytesOnce(current, random),
    Buffer.from(bytes),
  );
}

function mutateBytesOnce(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return Buffer.from([Math.floor(random() * 256)]);
  const at = Math.floor(random() * bytes.length);
  const end = Math.min(bytes.length, at + 1 + Math.floor(random() * 16));
  const dice = random();
  if (dice < 0.4) return withByte(bytes, at, bytes[at]! ^ (1 << Math.floor(random() * 8)));
  if (dice < 0.6) return withByte(bytes, at, pick(random, [0, 0x7f, 0x80, 0xff, Math.floor(random() * 256)]));
  if (dice < 0.7) return bytes.subarray(0, at);
  if (dice < 0.85) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
}

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = byte;
  return changed;
}
