import { formatValue } from '../format/number.js';
// Node 20 does not pass the text of a number on, as browsers do: that it is used is tested in the browser.
import { exactInteger, parseExact, withNumbers } from './parse-exact.js';

describe('the JSON of a response', () => {
  it('is read as always where no number is long', () => {
    const text = '{"a":[1,-2.5,1e3,true,null,"1234567890123456"],"b":{"c":9007199254740991}}';
    expect(parseExact(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1.23456789012345678901234567890e+29', 123456789012345678901234567890n],
    ['-1E18', -1000000000000000000n],
    ['1.2345678901234567', undefined],
    ['12345678901234567.5', undefined],
    ['1e-20', undefined],
    ['', undefined],
  ])('%p is the integer %p', (source, integer) => expect(exactInteger(source)).toBe(integer));

  it('has plain numbers in fields and lists of its own, and exact ones deeper', () => {
    const record = {
      duration: 9007199254740993n,
      tokens: [1, 9007199254740993n, null],
      metadata: { id: 1n },
    };
    expect(withNumbers(record)).toEqual({
      duration: 9007199254740992,
      tokens: [1, 9007199254740992, null],
      metadata: { id: 1n },
    });
  });
});

describe('a value of a column', () => {
  it('is printed with every digit, also in objects and lists', () => {
    expect(formatValue(9007199254740993n)).toBe('9007199254740993');
    expect(formatValue({ ids: [9007199254740993n, 'a'], nested: { n: null } })).toBe(
      '{"ids":[9007199254740993,"a"],"nested":{"n":null}}',
    );
  });
});
