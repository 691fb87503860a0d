import fc from 'fast-check';
import { emptyEvent } from '../../event.js';
import { matchesFilter } from '../matches-filter.js';
import { foldText } from './fold-text.js';
import { chunksOfText, CHUNK_LENGTH } from '../../../text-chunks.js';
import { shortJson } from './short-json.js';
import { containsText } from './text-search.js';

const SEED = Date.now();
const options = { seed: SEED, numRuns: 500 };
const letters = (max: number) =>
  fc
    .array(fc.constantFrom('a', 'b', 'aa', 'ba', '😀', '\ud83d', 'Σ'), { maxLength: max })
    .map((all) => all.join(''));

describe(`the search of a text, seed ${SEED}`, () => {
  it('finds what the runtime finds', () => {
    fc.assert(
      fc.property(letters(200), letters(12), (text, pattern) => {
        expect(containsText(text, pattern)).toBe(text.includes(pattern));
      }),
      options,
    );
  });

  it('finds patterns in long texts, whichever of their characters are frequent', () => {
    fc.assert(
      fc.property(letters(6), letters(60), fc.nat(), (unit, rest, at) => {
        const text = `${unit.repeat(3_000)}${rest}${'a'.repeat(5_000)}`;
        const from = at % text.length;
        const parts = [text.slice(from, from + 20), text.slice(-20), `${rest}a`, `${unit}z`, 'ab'.repeat(30)];
        for (const pattern of parts) expect(containsText(text, pattern)).toBe(text.includes(pattern));
      }),
      { ...options, numRuns: 200 },
    );
  });

  it('finds a part of a text that repeats itself', () => {
    fc.assert(
      fc.property(letters(8), fc.integer({ min: 1, max: 400 }), fc.nat(), (unit, count, at) => {
        const text = `${unit.repeat(count)}b${unit.repeat(count)}`;
        const from = at % text.length;
        expect(containsText(text, text.slice(from, from + 3 * unit.length + 8))).toBe(true);
        expect(containsText(text, `${unit.repeat(count)}bb`)).toBe(text.includes(`${unit.repeat(count)}bb`));
      }),
      options,
    );
  });

  it('finds a pattern wherever the parts of a long text end', () => {
    for (const before of [CHUNK_LENGTH - 9, CHUNK_LENGTH - 1, CHUNK_LENGTH, 2 * CHUNK_LENGTH - 3]) {
      const text = `${'x'.repeat(before)}Needle😀Σ${'x'.repeat(CHUNK_LENGTH)}`;
      for (const inputs of [{ t: text }, { t: { deep: ['y'.repeat(100), text] } }]) {
        const event = { ...emptyEvent(), inputs };
        const filter = { field: 'inputs.t', operator: 'contains', type: 'string' } as const;
        expect(matchesFilter(event, { ...filter, value: 'nEEDLE😀σ' })).toBe(true);
        expect(matchesFilter(event, { ...filter, value: 'needle😀σσ' })).toBe(false);
      }
    }
  });
});

describe(`the parts of a value, seed ${SEED}`, () => {
  it('are folded like the whole, and none ends within a character', () => {
    const text = 'ΑΣ😀 '.repeat(CHUNK_LENGTH);
    const parts = [...chunksOfText(text)];
    expect(parts.map(foldText).join('') === foldText(text)).toBe(true);
    expect(parts.every((part) => !/^[\udc00-\udfff]/.test(part))).toBe(true);
  });

  it('is not written when it is longer than what it is compared with', () => {
    expect(shortJson({ a: [1, 'x'] }, 13)).toBe('{"a":[1,"x"]}');
    expect(shortJson({ a: 'x'.repeat(1_000_000) }, 100)).toBeUndefined();
  });
});
