import { ImportFunctions, type ImportBatch, type ImportRequest } from './import-functions.js';

const KEY = '0123456789abcdef';

async function batchesOf(request: Omit<ImportRequest, 'key'>): Promise<readonly ImportBatch[]> {
  const functions = new ImportFunctions();
  await functions.begin({ ...request, key: KEY });
  const batches: ImportBatch[] = [];
  for (let batch = await functions.batch({}); batch !== undefined; batch = await functions.batch({}))
    batches.push(batch);
  return batches;
}

describe('an import', () => {
  it('counts rows, columns and values, and names the lines that are left out', async () => {
    const file = new Blob(['question,answer\nCapital?,Paris\nlonely\nWhy?,\n']);
    expect(await new ImportFunctions().inspect({ file, kind: 'csv' })).toEqual({
      ...{ rows: 2, problemCount: 1, problems: ['line 3: 1 cell instead of 2'] },
      columns: [
        { name: 'question', found: 2, role: 'inputs' },
        { name: 'answer', found: 1, role: 'ground_truth' },
      ],
      sample: [
        ['Capital?', 'Paris'],
        ['Why?', ''],
      ],
    });
  });

  it('sends every row once, in order, with an id of its own', async () => {
    const rows = Array.from({ length: 1_201 }, (_, nth) => `q${nth}`);
    const file = new Blob([`q\n${rows.join('\n')}\n`]);
    const batches = await batchesOf({ file, kind: 'csv', roles: [['q', 'inputs']] });
    expect(batches.map((batch) => [batch.rows, batch.firstLine, batch.lastLine])).toEqual([
      [500, 2, 501],
      [500, 502, 1_001],
      [201, 1_002, 1_202],
    ]);
    const sent = batches.flatMap(
      ({ body }) => (JSON.parse(body) as { datapoints: { id: string; inputs: { q: string } }[] }).datapoints,
    );
    expect(sent.map(({ inputs }) => inputs.q)).toEqual(rows);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(rows.length);
    expect(sent[0]?.id).toBe(`${KEY}00000000`);
  });

  it('never looks complete in a worker that has not begun it', async () => {
    await expect(new ImportFunctions().batch({})).rejects.toThrow('the file has to be chosen again');
  });

  it('sends a row of many characters in a request of its own', async () => {
    const long = 'x'.repeat(600_000);
    const batches = await batchesOf({
      ...{ file: new Blob([`q\na\n${long}\nb\n`]), kind: 'csv', roles: [['q', 'inputs']] },
    });
    expect(batches.map(({ rows }) => rows)).toEqual([1, 1, 1]);
  });
});
