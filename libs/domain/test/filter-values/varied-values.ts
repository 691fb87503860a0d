import type { JsonObject, JsonValue } from '../../src/json.js';

export type Random = () => number;

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Texts that are read, escaped, folded or searched in several ways. */
export const TEXTS = [
  ...['', ' ', 'x', 'X', 'hello', 'Hello World', 'a.b', 'a=b', 'tags', '%', '_', "it's", '`', '{p0:String}'],
  ...['true', 'False', 'null', 'None', '5', '5.0', '05', '-3e2', '1e400', '1e+21', '9007199254740993'],
  ...['2026-01-01', '2026-01-01T02:30:00.1239+02:30', '2026-02-30', '2026-01-01T00:00:00Z'],
  ...['[1]', '["x"]', '{"a":1}', '{"a":"x"}', '"x"', '\\', '\\n', '\\"', 'back\\slash', 'say "hi" now'],
  ...[
    'line\nbreak',
    'cr\r\nlf',
    'tab\there',
    'bell\u0007',
    '\u001b[1m bold\u000b',
    'next\u0085line',
    'line\u2028separator',
    '/slash/',
  ],
  ...['Straße', 'STRASSE', 'SS', 'ΑΣ ΑΣ', 'ας ασ', 'ΣΣ', 'İs', 'is', 'I', 'ı'],
  ...['2 \u212aelvin', 'kelvin', 'ﬁnd', 'find', 'ŉ', 'ſ', 's', 'Ǆ', 'ǆ', 'Ω', '\u2126', 'é', 'e\u0301', 'É'],
  ...[
    'half \ud800 pair',
    '\u0000 nul',
    '🚀 go',
    '😀',
    '大きさ',
    'ПРИВЕТ',
    'привет',
    `${'long '.repeat(60)}Needle`,
    `${'ab'.repeat(40)}"ß`,
  ],
] as const;

export const NUMBERS = [
  ...[0, -0, 1, 5, -5, 0.1, 0.5, -300, 1e20, 1e21, 1.5e300, 5e-7, 2 ** 53, 123_456_789.125],
  ...[1_767_225_600_000, 1_767_225_600_000_000, 1_767_225_600],
] as const;

const LISTS: readonly JsonValue[] = [
  ...[
    [],
    [1],
    ['x'],
    ['x', 'X', 'Σς'],
    [null, 0, false, ''],
    [[1, 2], [3]],
    [[]],
    [{}],
    ['a"b', 'line\nbreak'],
  ],
  [
    { role: 'user', content: 'say "hi"' },
    { role: 'assistant', content: 'line\nbreak', n: 5 },
  ],
  [{ a: 1 }, { a: 'x', b: [1] }, { a: null }, 'x'],
  [{ role: 'system' }, { role: 'User', content: ['x', { text: 'Hello World' }] }],
];

const OBJECTS: readonly JsonObject[] = [
  ...[{}, { a: 'x' }, { a: { b: 1 } }, { b: [1, 'x'] }, { 'a.b': 2, a: { b: null } }, { a: { 'b.a': 'x' } }],
  ...[
    { '0': 'zero', '1': { a: 1 } },
    { 'k"q': 'x', 'k\\s': 1 },
    { ключ: 'МИР', key: 'Σ' },
  ],
];

/** Objects within each other. */
const DEPTH = 2;

/** Keys of objects, of which some look like paths. */
export const KEYS = ['a', 'b', 'a.b', 'messages', 'tags', 'a=b', 'k"q', 'ключ', '0', 'A'] as const;

/** Returns a text, number, boolean, null, list or object. */
export function variedValue(random: Random, depth = DEPTH): JsonValue {
  const kind = random();
  if (kind < 0.4) return pick(random, TEXTS);
  if (kind < 0.6) return pick(random, NUMBERS);
  if (kind < 0.68) return random() < 0.5;
  if (kind < 0.72) return null;
  if (kind < 0.88) return pick(random, LISTS);
  return depth > 0 && random() < 0.6 ? variedObject(random, depth - 1) : pick(random, OBJECTS);
}

export function variedObject(random: Random, depth = DEPTH): JsonObject {
  const keys = KEYS.filter(() => random() < 0.35);
  return Object.fromEntries(keys.map((key) => [key, variedValue(random, depth)]));
}
