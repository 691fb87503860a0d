import fc from 'fast-check';
import { runSync } from '@assay/runtime';
import { parseJsonSteps } from './parse-json.js';
import { parsePiecesSteps } from './parse-pieces.js';
import { JSON_LIMITS, scanJsonSteps } from './scan-json.js';

const seed = Date.now() % 1_000_000_007;

/** Parses text in pieces of this many bytes and a little more. */
function parseInPieces(text: string, pieceBytes: number): unknown {
  const bytes = Buffer.from(text);
  const { cuts } = runSync(scanJsonSteps(bytes, JSON_LIMITS, pieceBytes));
  return runSync(parsePiecesSteps(bytes, cuts));
}

const KEYS = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('', '7', '12', '__proto__', 'a"b', 'c\\', 'é', 'constructor'),
);
const { value: json } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant(null))
      .map((value) => JSON.stringify(value)),
    fc.array(tie('value'), { maxLength: 7 }).map((items) => `[${items.join(' ,')}]`),
    fc
      .array(fc.tuple(KEYS, tie('value')), { maxLength: 7 })
      .map(
        (members) => `{${members.map(([key, value]) => `${JSON.stringify(key)} : ${value}`).join(',\n')}}`,
      ),
  ),
}));

describe(`JSON that is parsed in pieces (SEED=${seed})`, () => {
  it('is what JSON.parse returns, with keys that occur twice and in the same order, or is refused like there', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 0, max: 40 }), (text, pieceBytes) => {
        const expected = outcomeOf(() => JSON.parse(text) as unknown);
        expect(outcomeOf(() => parseInPieces(text, pieceBytes))).toBe(expected);
      }),
      { seed, numRuns: 1_000 },
    );
  });

  it('is refused when a byte is changed, exactly when JSON.parse refuses it', () => {
    const change = fc.record({
      at: fc.nat(),
      byte: fc.constantFrom(...'{}[]",:0 '),
      isInserted: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.object({ maxDepth: 3, maxKeys: 6, values: [fc.string({ maxLength: 6 }), fc.nat(9_999)] }),
        change,
        (value, { at, byte, isInserted }) => {
          const text = JSON.stringify(value).replace(/[^\x20-\x7e]/g, 'x');
          const offset = at % text.length;
          const changed = text.slice(0, offset) + byte + text.slice(offset + (isInserted ? 0 : 1));
          // A number beyond the largest one is infinite for JSON.parse, and refused here.
          fc.pre(!/\d[eE]\+?\d{3}/.test(changed));
          const expected = outcomeOf(() => JSON.parse(changed) as unknown);
          expect(outcomeOf(() => parseInPieces(changed, 3))).toBe(expected);
        },
      ),
      { seed, numRuns: 2_000 },
    );
  });

  it.each([
    ['a list', '[1,2,]'],
    ['an object', '{"a":1,}'],
    ['a list, with spaces', '[1 , ]'],
    ['a list, at its start', '[ ,1]'],
    ['a list, twice', '[1,,2]'],
  ])('may not have a comma without a value in %s', (_where, text) => {
    for (let pieceBytes = 0; pieceBytes < text.length; pieceBytes++)
      expect(() => parseInPieces(text, pieceBytes)).toThrow(SyntaxError);
  });

  it('has an own key __proto__ in an object of several pieces', () => {
    const parsed = parseInPieces('{"a":{"b":1,"__proto__":{"c":1},"d":2}}', 1) as { a: object };
    expect(Object.keys(parsed.a)).toEqual(['b', '__proto__', 'd']);
    expect('c' in parsed.a).toBe(false);
  });

  it('takes many steps for an object with 99,000 keys, and keeps digits of large integers', () => {
    const members = Array.from(
      { length: 99_000 },
      (_, index) => `"key${index}":1234567890123456789${index % 10}`,
    );
    const text = `{"inputs":{${members.join(',')}}}`;
    const steps = parseJsonSteps(Buffer.from(text));
    let count = 1;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count++;
    expect(count).toBeGreaterThan(20);
    expect(JSON.stringify(step.value) === text).toBe(true);
  });
});

/** The JSON of a value, or that its text was refused. */
function outcomeOf(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    if (error instanceof SyntaxError) return 'refused';
    throw error;
  }
}
