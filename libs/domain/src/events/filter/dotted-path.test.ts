import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../json.js';
import { DottedPath } from './dotted-path.js';
import { valueUnder } from './value-under.js';

const SEED = Date.now();
const key = fc.constantFrom('a', 'b', 'c', 'a.b', 'b.c', 'a.b.c', 'b.c.a', 'c.a');
const object = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom(null, 1, 'x'), tie('object')),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
})).object;
const keysOfPath = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 });

/** The definition: the first value under one of the candidates. */
function firstValue(root: JsonValue, candidates: Iterable<readonly string[]>): JsonValue {
  for (const keys of candidates) {
    const found = keys.reduce((value, one) => valueUnder(value, one), root);
    if (found !== null) return found;
  }
  return null;
}

describe(`a path of keys that may contain dots, seed ${SEED}`, () => {
  it('has the candidates with one literal key, in order', () => {
    expect([...new DottedPath('a.b.c.d').candidates()]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a.b.c.d'],
      ['a.b.c', 'd'],
      ['a.b', 'c', 'd'],
      ['a', 'b.c.d'],
      ['a', 'b', 'c.d'],
    ]);
    expect([...new DottedPath('a').candidates()]).toEqual([['a']]);
  });

  it('has the first value of its candidates', () => {
    fc.assert(
      fc.property(object, keysOfPath, (root, keys) => {
        const path = new DottedPath(keys.join('.'));
        expect(path.valueIn(root)).toEqual(firstValue(root, path.candidates()));
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it('counts the characters of its literal keys', () => {
    for (const text of ['a', 'env', 'a.b', 'ab.cde.f', 'a.b.c.d', 'aa..b', '.']) {
      const literal = [...new DottedPath(text).candidates()].flat().filter((one) => one.includes('.'));
      expect(new DottedPath(text).literalCharacters()).toBe(literal.join('').length);
    }
  });
});
