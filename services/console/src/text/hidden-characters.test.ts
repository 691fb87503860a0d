import fc from 'fast-check';
import { hasHidden, piecesOf, withMarks } from './hidden-characters.js';

const seed = Date.now() % 2 ** 31;

/** The pieces with their marks in brackets. */
const drawn = (text: string) =>
  piecesOf(text)
    .map((piece) => ('label' in piece ? `{${piece.kind} ${piece.label}}` : piece.text))
    .join('');

describe('characters that no reader sees', () => {
  it.each([
    ['invoice\u202efdp.exe', 'invoice{hidden U+202E}fdp.exe'],
    ['a\u2066b\u2069', 'a{hidden U+2066}b{hidden U+2069}'],
    ['a\u200f!', 'a{direction U+200F}!'],
    ['\u061c1', '{direction U+061C}1'],
    ['bell \u0007 del \u007f', 'bell {hidden U+0007} del {hidden U+007F}'],
    ['pass\u200bword', 'pass{hidden U+200B}word'],
    ['\u{e0041}\u{e0042}\u{e0043}\u{e0044}\u{e0045}', '{hidden U+E0041 U+E0042 U+E0043 +2}'],
    ['\u202e\u200f', '{hidden U+202E}{direction U+200F}'],
  ])('of %j have a mark: %s', (text, expected) => expect(drawn(text)).toBe(expected));

  it.each([
    '\u05e9\u05dc\u05d5\u05dd, \u05e2\u05d5\u05dc\u05dd!',
    '\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645 12',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '👩\u200d👩\u200d👧',
    '☎\ufe0f',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'a tab\tand\r\ntwo lines',
  ])('are not what %j has, which stays as it is', (text) => {
    expect([hasHidden(text), drawn(text), withMarks(text)]).toEqual([false, text, text]);
  });

  it('are text in attributes', () => expect(withMarks('a\u202eb\u202c')).toBe('a[U+202E]b[U+202C]'));

  it(`leave the text what it is, character by character (seed ${seed})`, () => {
    const unit = fc.constantFrom(
      'a',
      '\u05e9',
      '😀',
      '\u202e',
      '\u2069',
      '\u200f',
      '\u0000',
      '\u{e0041}',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 3_000 }), (units) => {
        const pieces = piecesOf(units.join(''));
        expect(pieces.map(({ text }) => text).join('')).toBe(units.join(''));
        expect(pieces.length).toBeLessThanOrEqual(1_002);
        for (const { kind, text } of pieces) if (kind === 'text') expect(hasHidden(text)).toBe(false);
      }),
      { seed, numRuns: 50 },
    );
  });
});
