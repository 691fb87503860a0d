import fc from 'fast-check';
import { decodeUtf8 } from './utf8.js';

const bytes = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 2_000 }).map((text) => Buffer.from(text)),
  fc.string({ unit: 'binary-ascii', maxLength: 2_000 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array)),
);

describe('the text of UTF-8 bytes', () => {
  it('equals the result of toString, whatever the bytes', () => {
    fc.assert(
      fc.property(bytes, (one) => {
        expect(decodeUtf8(one)).toBe(one.toString('utf8'));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['empty', ''],
    ['a byte order mark', '\ufeffa'],
    ['beyond the basic plane', 'a😀b'],
    ['NUL', 'a\0é'],
    ['five megabytes', 'aé'.repeat(1_700_000)],
  ])('keeps %s', (_, text) => {
    expect(decodeUtf8(Buffer.from(text))).toBe(text);
  });
});
