import { parseRows } from './parse-rows.js';

describe('rows of the engine', () => {
  it.each<[string, unknown[]]>([
    ['none', []],
    ['one', [{ n: 1 }]],
    ['several, with every kind of text', [{ text: 'ä€𝄞 "quoted"\n' }, { text: '' }, { list: ['a', null] }]],
  ])('are parsed: %s', (_title, rows) => {
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    expect(parseRows(new TextEncoder().encode(lines))).toEqual(rows);
  });

  it('are parsed from a part of a buffer', () => {
    const bytes = Buffer.from('xx{"n":1}\n{"n":2}\nxx');
    expect(parseRows(new Uint8Array(bytes.buffer, bytes.byteOffset + 2, bytes.length - 4))).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
  });
});
