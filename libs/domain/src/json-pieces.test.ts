import { jsonPiecesSteps } from './json-pieces.js';
import type { JsonValue } from './json.js';
import { RawText } from './raw-text.js';

/** Longest piece: that of a text whose characters are all written as escapes. */
const MAX_PIECE = 6 * 65_536;

function piecesOf(value: JsonValue): {
  readonly text: string;
  readonly pieces: string[];
  readonly steps: number;
} {
  const pieces: string[] = [];
  const writing = jsonPiecesSteps(value, (piece) => pieces.push(piece));
  let steps = 0;
  while (writing.next().done !== true) steps++;
  return { text: pieces.join(''), pieces, steps };
}

const raw = (text: string) => new RawText(Buffer.from(JSON.stringify(text))).asValue();
const wide = (count: number, value: JsonValue) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k\ud800"${n}`, value]));

describe('the JSON text of a value in pieces', () => {
  it.each<[string, JsonValue]>([
    ['a text', 'a"\0\ud800😀'],
    ['a number', -0.5],
    ['a large integer', 12345678901234567890n],
    ['an object with a special key', JSON.parse('{"__proto__":1,"2":2,"1":[]}') as JsonValue],
  ])('is one piece for %s', (_what, value) => {
    expect(piecesOf(value)).toEqual({
      text: JSON.stringify(value),
      pieces: [JSON.stringify(value)],
      steps: 0,
    });
  });

  it.each<[string, JsonValue, number]>([
    ['99,000 keys', wide(99_000, 'x'), 90],
    ['99,000 keys of objects', wide(99_000, { a: [1, null, { b: '\0' }] }), 99],
    ['a list of numbers', Array<JsonValue>(500_000).fill(1), 450],
    ['a list of long texts', Array<JsonValue>(50).fill('é'.repeat(60_000)), 49],
    ['a long text', '\0'.repeat(1_000_000), 15],
    ['a long text of pairs', `x${'😀'.repeat(500_000)}`, 15],
    ['a long key', { ['😀'.repeat(500_000)]: 1, b: 2 }, 15],
    ['a long raw text', { a: raw('é"'.repeat(500_000)) }, 15],
    ['deep objects', [[[[{ a: [{ b: wide(9_000, 12345678901234567890n) }] }]]]], 9],
  ])('is as JSON.stringify writes it for %s', (_what, value, minSteps) => {
    const { text, pieces, steps } = piecesOf(value);
    expect(text === JSON.stringify(value)).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(MAX_PIECE);
    expect(steps).toBeGreaterThanOrEqual(minSteps);
  });

  it('does not list keys that are known', () => {
    let lists = 0;
    const target = wide(5_000, 'x');
    const object = new Proxy(target, {
      ownKeys: () => {
        lists += 1;
        return Reflect.ownKeys(target);
      },
    });
    const known = new Map([[object, Object.keys(target)]]);
    let text = '';
    const writing = jsonPiecesSteps([object], (piece) => (text += piece), known);
    while (writing.next().done !== true);
    expect([lists, text]).toEqual([0, JSON.stringify([target])]);
  });

  const seed = Date.now() % 2 ** 31;
  process.stdout.write(`json-pieces.test.ts seed ${seed}\n`);
  it(`is as JSON.stringify writes it, whatever the value holds (seed ${seed})`, () => {
    let state = seed;
    const random = () => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647;
    const LEAVES: JsonValue[] = ['', '\ud800', 'é\0', 1e21, -0, true, null, 2n ** 70n];
    const long = 'y'.repeat(70_000);
    const leaf = () => (random() < 0.02 ? long : LEAVES[Math.floor(random() * LEAVES.length)]!);
    const value = (depth: number): JsonValue => {
      const count = Math.floor(random() * (random() < 0.1 ? 2_000 : 6));
      if (depth === 0 || random() < 0.3) return leaf();
      const items = Array.from({ length: count }, () => value(count > 100 ? 0 : depth - 1));
      return random() < 0.5 ? items : Object.fromEntries(items.map((item, n) => [`k${n}`, item]));
    };
    for (let round = 0; round < 60; round++) {
      const one = value(4);
      expect(piecesOf(one).text === JSON.stringify(one)).toBe(true);
    }
  });
});
