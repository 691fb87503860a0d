import fc from 'fast-check';
import { isLargeInteger, parseExactJson, parseStoredJson } from './exact-json.js';

const roundTrip = (text: string) => JSON.stringify(parseExactJson(text));
const digits = (length: number) => '1234567890'.repeat(Math.ceil(length / 10)).slice(0, length);

describe('integers of exactly parsed JSON', () => {
  test.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '18446744073709551616',
    '100000000000000000001',
    '1180591620717411303424',
    digits(300),
  ])('keep every digit of %s', (number) => {
    const text = `{"a":${number},"b":[${number},{"c":${number}}],"d":"${number}","__proto__":${number}}`;
    expect(roundTrip(text)).toBe(text);
    expect(roundTrip(number)).toBe(number);
    expect(roundTrip(` [ ${number} , 1 ] `)).toBe(`[${number},1]`);
  });

  test.each([
    ['9007199254740993.0', 9007199254740992],
    ['9007199254740993e0', 9007199254740992],
    ['1234567890123456789e3', 1234567890123456789e3],
    ['0.12345678901234567', 0.12345678901234567],
    ['-0', -0],
    ['1.0', 1],
    ['9007199254740992', 9007199254740992],
    ['100000000000000000000', 1e20],
    ['1e300', 1e300],
  ])('are numbers when a number holds %s, or it is a decimal', (text, number) => {
    expect(Object.is(parseExactJson(text), number)).toBe(true);
  });

  test.each([
    '{12345678901234567890:1}',
    '{ 12345678901234567890 : 1}',
    '[012345678901234567890]',
    '[12345678901234567890x]',
    '[1-2345678901234567890]',
    '["12345678901234567890]',
    '12345678901234567890"',
  ])('make invalid JSON no valid JSON: %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  test('within texts are texts, whatever surrounds them', () => {
    for (const text of [
      ': 12345678901234567890,',
      '\\": 12345678901234567890, \\"',
      '12345678901234567890\\\\',
    ]) {
      const json = `{"a":"${text}","${text}":12345678901234567890}`;
      expect(roundTrip(json)).toBe(json);
    }
  });

  test('of any JSON are those of its text', () => {
    const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        integer,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), integer.map(String)), tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, fc.nat(3), (held, indent) => {
        const compact = JSON.stringify(held);
        expect(roundTrip(JSON.stringify(held, null, indent))).toBe(compact);
      }),
      { seed: Date.now(), numRuns: 2_000 },
    );
  });

  test('are found behind long texts of digits and many quotes', () => {
    const texts = ['1'.repeat(4_000_000), ...Array.from({ length: 100_000 }, () => 'a"1\\')];
    const json = `[${JSON.stringify(texts)},12345678901234567890]`;
    expect(roundTrip(json) === json).toBe(true);
  });
});

describe('stored JSON', () => {
  test('has integers beyond 64 bits with an exponent', () => {
    const stored = '{"a":1.2345678901234567890123e+22,"b":-1.8446744073709551617e+19}';
    expect(JSON.stringify(parseStoredJson(stored))).toBe(
      '{"a":12345678901234567890123,"b":-18446744073709551617}',
    );
  });

  test.each(['1.2345678901234568e+22', '1e+21', '1.5e+300'])('has the number %s', (text) => {
    expect(parseStoredJson(text)).toBe(Number(text));
  });
});

test('a large integer is one that a number writes with other digits', () => {
  expect(['9007199254740993', '9007199254740992', '007', '1e5', '12'].map(isLargeInteger)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
