import { FileProblem } from './file-problem.js';
import { readRows, type FileKind, type RowOrProblem } from './read-rows.js';

async function rowsOf(
  content: string | Uint8Array<ArrayBuffer>,
  kind: FileKind,
): Promise<readonly RowOrProblem[]> {
  const rows: RowOrProblem[] = [];
  for await (const row of readRows(new Blob([content]), kind)) rows.push(row);
  return rows;
}
const textOf = (row: RowOrProblem) => (row instanceof FileProblem ? row.message : [row.line, ...row.values]);

describe('rows of a file', () => {
  it('are those of a CSV file after its names, without a byte order mark', async () => {
    const rows = await rowsOf('\ufeffquestion;answer\r\nCapital of "France"?;Paris\r\n=1+1;\r\n', 'csv');
    expect(rows.map(textOf)).toEqual([
      [2, 'Capital of "France"?', 'Paris'],
      [3, '=1+1', ''],
    ]);
    expect(rows[0]).toMatchObject({ names: ['question', 'answer'] });
  });

  it('are left out, with their line, when they have other cells than the names', async () => {
    expect((await rowsOf('a,b\n1,2\n3\n4,5,6\n7,8\n', 'csv')).map(textOf)).toEqual([
      [2, '1', '2'],
      'line 3: 1 cell instead of 2',
      'line 4: 3 cells instead of 2',
      [5, '7', '8'],
    ]);
  });

  it('have a name of their own for each column', async () => {
    const [row] = await rowsOf('a,,a,__proto__\n1,2,3,4\n', 'csv');
    expect(row).toMatchObject({ names: ['a', 'column 2', 'a (2)', '__proto__'] });
  });

  it('are objects of JSON lines, and lines that are none are named', async () => {
    const rows = await rowsOf('{"n":9007}\r\n\n[1]\n{"a":\n{"b":null}', 'jsonl');
    expect(rows.map(textOf)).toEqual([[1, 9007], 'line 3: not a JSON object', 'line 4: not JSON', [5, null]]);
  });

  it('are none in an empty file and in one of names alone', async () => {
    expect(await rowsOf('', 'csv')).toEqual([]);
    expect(await rowsOf('a,b\n', 'csv')).toEqual([]);
    expect(await rowsOf('\n', 'jsonl')).toEqual([]);
  });

  it('are refused in another encoding, and with too many columns', async () => {
    await expect(rowsOf(new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 'csv')).rejects.toThrow('not UTF-8');
    await expect(rowsOf(`${'a,'.repeat(5_000)}b\n`, 'csv')).rejects.toThrow(
      '5001 columns are more than 5000',
    );
  });
});
