import { CsvReader, delimiterOf, type CsvRecord } from './csv-reader.js';

/** Reads a text in pieces of this length. */
function read(text: string, { delimiter = ',', length = text.length || 1 } = {}): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  const reader = new CsvReader(delimiter, (record) => records.push(record));
  for (let at = 0; at < text.length; at += length) reader.push(text.slice(at, at + length));
  reader.end();
  return records;
}
const cells = (text: string, options = {}) => read(text, options).map((record) => record.cells);

describe('a reader of CSV', () => {
  it.each([
    [
      'plain cells',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a last line without an end', 'a\n1', [['a'], ['1']]],
    ['line ends of every system', 'a\r\nb\rc\nd', [['a'], ['b'], ['c'], ['d']]],
    [
      'empty cells',
      'a,,c\n,,\n',
      [
        ['a', '', 'c'],
        ['', '', ''],
      ],
    ],
    ['quoted delimiters, line ends and quotes', '"a,b","c\r\nd","e ""f"""\n', [['a,b', 'c\r\nd', 'e "f"']]],
    ['an empty quoted cell', '""\n', [['']]],
    ['no record for lines without a cell', 'a\n\n\r\nb\n\n', [['a'], ['b']]],
    ['quotes within a cell as text', 'a "b" c,d\n', [['a "b" c', 'd']]],
    ['text after a quoted cell', '"a"b,c\n', [['ab', 'c']]],
    ['formulas as text', '=1+1,@x\n', [['=1+1', '@x']]],
    ['nothing in an empty file', '', []],
  ])('reads %s, however it is cut', (_what, text, expected) => {
    for (const length of [1, 2, 3, 1_000]) expect(cells(text, { length })).toEqual(expected);
  });

  it('names the line on which a record begins', () => {
    expect(read('h\n"two\nlines"\r\n\nlast').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it('refuses a quote without its end, with its line', () => {
    expect(() => read('a\nb,"c\nd')).toThrow('line 2: a quote has no end');
    expect(() => read(`a\n"${'x'.repeat(4_000_001)}`, { length: 65_536 })).toThrow(
      /line 2: a cell has more than/,
    );
  });

  it('reads rows of thousands of columns', () => {
    const row = Array.from({ length: 3_000 }, (_, nth) => `c${nth}`);
    expect(cells(`${row.join(';')}\n`, { delimiter: ';' })).toEqual([row]);
  });
});

it('takes the delimiter that the first line has most of, outside of quotes', () => {
  expect(delimiterOf('a;b;c,d\n1,2,3,4,5')).toBe(';');
  expect(delimiterOf('a\tb\n')).toBe('\t');
  expect(delimiterOf('"a;b;c",d\n')).toBe(',');
  expect(delimiterOf('one column')).toBe(',');
});
