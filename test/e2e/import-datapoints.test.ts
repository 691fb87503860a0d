import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../harness/processes/run-command.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { startRefusingProxy } from './refusing-proxy.js';

interface Datapoint {
  readonly id: string;
  readonly inputs: object;
  readonly history: readonly object[];
  readonly ground_truth: object | null;
  readonly metadata: object | null;
}

describe('assay import-datapoints', () => {
  const { client, stack } = onStack(startStandalone);
  const dir = mkdtempSync(join(tmpdir(), 'assay-import-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  const file = (name: string, content: string | Buffer): string => {
    const path = join(dir, `${randomUUID()}-${name}`);
    writeFileSync(path, content);
    return path;
  };
  const run = (args: readonly string[], url = stack.baseUrl) =>
    runCommand(['import-datapoints', ...args], { ASSAY_URL: url, ASSAY_API_KEY: stack.apiKey });

  /** Imports into a new dataset, and returns its datapoints in order, without ids and times. */
  async function imported(path: string, ...args: string[]) {
    const name = randomUUID();
    const { code, stdout, stderr } = await run([path, '--dataset', name, '--create', '--json', ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { dataset_id, rows, added } = JSON.parse(stdout) as Record<string, unknown>;
    const datapoints = await datapointsOf(String(dataset_id));
    expect([rows, added]).toEqual([datapoints.length, datapoints.length]);
    return datapoints.map(({ inputs, history, ground_truth, metadata }) => ({
      ...{ inputs, ground_truth, metadata },
      ...(history.length > 0 && { history }),
    }));
  }
  async function datapointsOf(id: string): Promise<readonly Datapoint[]> {
    const { status, ...response } = await client.call('GET', `/v1/datasets/${id}/datapoints?limit=500`);
    expect(status).toBe(200);
    return response.json<{ datapoints: Datapoint[] }>().datapoints;
  }
  const datasetsNamed = async (name: string) =>
    (await client.call('GET', `/v1/datasets?name=${name}`)).json<{ datasets: { id: string }[] }>().datasets;
  const only = (inputs: object) => ({ inputs, ground_truth: null, metadata: null });

  it('reads CSV as spreadsheets write it: byte-order mark, quotes, every line end, empty lines', async () => {
    const csv =
      '\ufeffquestion,answer,"the, source"\r\n' +
      '"What is ""2 + 2""?",4,web\r\n\r\n' +
      '"two\r\nlines",,"comma, inside"\n' +
      ',,\r\n' +
      "O'Neill 😀 007,true,\r" +
      '"last","no line end",x';
    const mapping = ['--map', 'question=inputs.text', '--map', 'answer=ground_truth.expected.answer'];
    expect(await imported(file('a.csv', csv), ...mapping)).toEqual([
      {
        inputs: { text: 'What is "2 + 2"?' },
        ground_truth: { expected: { answer: '4' } },
        metadata: { 'the, source': 'web' },
      },
      {
        inputs: { text: 'two\r\nlines' },
        ground_truth: { expected: { answer: '' } },
        metadata: { 'the, source': 'comma, inside' },
      },
      {
        inputs: { text: "O'Neill 😀 007" },
        ground_truth: { expected: { answer: 'true' } },
        metadata: { 'the, source': '' },
      },
      {
        inputs: { text: 'last' },
        ground_truth: { expected: { answer: 'no line end' } },
        metadata: { 'the, source': 'x' },
      },
    ]);
  });

  it('takes columns of CSV as inputs, or as what their names say, and values as texts', async () => {
    const csv = 'n;inputs.q;ground_truth.a;metadata.m\n1;"{""a"":1}";true;null\n';
    const texts = {
      inputs: { n: '1', q: '{"a":1}' },
      ground_truth: { a: 'true' },
      metadata: { m: 'null' },
    };
    const path = file('b.csv', csv);
    expect(await imported(path, '--delimiter', ';')).toEqual([texts]);
    expect(await imported(path, '--delimiter', ';', '--json-values')).toEqual([
      { inputs: { n: 1, q: { a: 1 } }, ground_truth: { a: true }, metadata: { m: null } },
    ]);
    const kept = file('d.csv', 'a,b,c\n007,"""x""",[1\n');
    expect(await imported(kept, '--json-values')).toEqual([only({ a: '007', b: '"x"', c: '[1' })]);
  });

  it('reads JSONL: datapoints as they are, other objects as inputs, and mapped keys', async () => {
    const whole = {
      inputs: { q: [1, { b: null }] },
      history: [{ role: 'user', content: 'line\u2028separator' }],
      ground_truth: { a: 0 },
      metadata: { m: '' },
    };
    const lines = `\ufeff${JSON.stringify(whole)}\r\n\n{"q": "flat", "n": 1.5}\r{"inputs": {}}`;
    expect(await imported(file('a.jsonl', lines))).toEqual([whole, only({ q: 'flat', n: 1.5 }), only({})]);
    const mapping = ['--map', 'q=inputs.question', '--map', 'a=ground_truth.answer', '--map', 'chat=history'];
    const objects = '{"q": "x", "a": false, "chat": [{"role": "user"}], "rest": {"z": 1}}\n{"q": "y"}\n';
    expect(await imported(file('a.ndjson', objects), ...mapping)).toEqual([
      {
        inputs: { question: 'x' },
        history: [{ role: 'user' }],
        ground_truth: { answer: false },
        metadata: { rest: { z: 1 } },
      },
      only({ question: 'y' }),
    ]);
  });

  it('keeps integers beyond 2^53 digit for digit, of JSONL and of CSV with JSON values', async () => {
    const held = '{"id":12345678901234567890,"list":[-9007199254740993,"12345678901234567890"]}';
    const csv = `id;held\n12345678901234567890;"${held.replaceAll('"', '""')}"\n`;
    const files = [
      { path: file('a.jsonl', `{"id": 12345678901234567890, "held": ${held}}\n`), args: [] },
      { path: file('a.csv', csv), args: ['--delimiter', ';', '--json-values'] },
    ];
    for (const { path, args } of files) {
      const { code, stdout } = await run([path, '--dataset', randomUUID(), '--create', '--json', ...args]);
      const { dataset_id } = JSON.parse(stdout) as { dataset_id: string };
      const { text } = await client.call('GET', `/v1/datasets/${dataset_id}/datapoints`);
      expect([code, text]).toEqual([
        0,
        expect.stringContaining(`"inputs":{"id":12345678901234567890,"held":${held}}`),
      ]);
    }
  });

  it('adds nothing when the file is imported again, and only new rows when it has grown', async () => {
    const rows = 'q,a\nsame,1\nsame,1\nother,2\n';
    const name = `repeated ${randomUUID()}`;
    const path = file('a.csv', rows);
    const results = [];
    for (const content of [rows, rows, `${rows}new,3\n`]) {
      writeFileSync(path, content);
      const { stdout } = await run([path, '--dataset', name, '--create', '--json']);
      const { created, added, present } = JSON.parse(stdout) as Record<string, unknown>;
      results.push({ created, added, present });
    }
    expect(results).toEqual([
      { created: true, added: 3, present: 0 },
      { created: false, added: 0, present: 3 },
      { created: false, added: 1, present: 3 },
    ]);
    const [dataset] = await datasetsNamed(name);
    const again = await run([path, '--dataset', String(dataset?.id)]);
    expect(again.stdout).toBe(`dataset ${dataset?.id}\nadded 0 datapoints, 4 were there already\n`);
    expect((await datapointsOf(String(dataset?.id))).map(({ inputs }) => inputs)).toEqual([
      ...[
        { q: 'same', a: '1' },
        { q: 'same', a: '1' },
        { q: 'other', a: '2' },
        { q: 'new', a: '3' },
      ],
    ]);
  });

  it('says how many datapoints are stored when it is interrupted, and adds the others when it is repeated', async () => {
    const path = file('large.csv', `n\n${Array.from({ length: 1_200 }, (_, n) => `row ${n}`).join('\n')}`);
    const name = `interrupted ${randomUUID()}`;
    const proxy = await startRefusingProxy(
      stack.baseUrl,
      (method, number) => method === 'PUT' && number === 2,
    );
    const first = await run([path, '--dataset', name, '--create'], proxy.url);
    await proxy.close();
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(
      /^error: too many requests wait; .*; 500 datapoints are stored, repeat the command to add the others\n$/,
    );
    const second = await run([path, '--dataset', name, '--json']);
    expect(JSON.parse(second.stdout)).toMatchObject({
      created: false,
      rows: 1_200,
      added: 700,
      present: 500,
    });
    const [dataset] = (await client.call('GET', `/v1/datasets?name=${encodeURIComponent(name)}`)).json<{
      datasets: { datapoints: string[] }[];
    }>().datasets;
    expect(new Set(dataset?.datapoints).size).toBe(1_200);
    const last = (await client.call('GET', `/v1/datapoints/${dataset?.datapoints.at(-1)}`)).json<{
      datapoint: Datapoint[];
    }>();
    expect(last.datapoint[0]?.inputs).toEqual({ n: 'row 1199' });
  });

  it('names every row with a mistake by its line, and stores nothing', async () => {
    const name = randomUUID();
    const csv = file('a.csv', 'q,a\n"x\r\ny",1\n\nshort\nok,2\nlong,3,4\n');
    const ragged = await run([csv, '--dataset', name, '--create']);
    expect(ragged).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'line 5 has 1 values for 2 columns\nline 7 has 3 values for 2 columns\n' +
        'error: 2 of 4 rows have a mistake, nothing was stored\n',
    });
    const lines = [
      '{"q": 1}',
      '{"q": 1',
      '[1]',
      '{"inputs": {}, "question": "x"}',
      '{"inputs": "text"}',
      '{"history": ["text"]}',
      JSON.stringify({ inputs: { q: 'x'.repeat(4 * 1024 * 1024) } }),
    ];
    const jsonl = await run([file('a.jsonl', lines.join('\n')), '--dataset', name, '--create']);
    expect(jsonl.code).toBe(1);
    expect(jsonl.stderr).toBe(
      'line 2 is not valid JSON\nline 3 is not a JSON object\n' +
        'line 4 has "question" beside inputs, history, ground_truth, metadata, use --map\n' +
        'line 5 has inputs that are not an object\n' +
        'line 6 has a history that is not a list of objects\n' +
        'line 7 makes a datapoint of more than 4 MB\n' +
        'error: 6 of 7 rows have a mistake, nothing was stored\n',
    );
    expect(await datasetsNamed(name)).toEqual([]);
  });

  it('names the line and the field of a number that is out of range, of CSV with JSON values and of JSONL', async () => {
    const name = randomUUID();
    const csv = file('a.csv', 'n;held\n1e308;1\n1;"{""a"": [0, -1e400]}"\n1e400;1\n');
    const args = ['--dataset', name, '--create', '--delimiter', ';'];
    const reason = 'that is out of range, such as 1e400';
    expect((await run([csv, ...args, '--json-values'])).stderr).toBe(
      `line 3 has a number in "held.a[1]" ${reason}\nline 4 has a number in "n" ${reason}\n` +
        'error: 2 of 3 rows have a mistake, nothing was stored\n',
    );
    const jsonl = file('a.jsonl', '{"inputs": {"q": [{"n": 1e400}]}}\n');
    expect((await run([jsonl, '--dataset', name, '--create'])).stderr).toBe(
      `line 1 has a number in "inputs.q[0].n" ${reason}\nerror: 1 of 1 rows have a mistake, nothing was stored\n`,
    );
    expect(await datasetsNamed(name)).toEqual([]);
    // Without JSON values it is a text.
    expect(await imported(csv, '--delimiter', ';')).toContainEqual(only({ n: '1e400', held: '1' }));
  });

  /** Files that are refused as a whole, and the error. */
  const REFUSED: readonly {
    readonly what: string;
    readonly content: string | Buffer;
    readonly message: string;
    readonly args?: readonly string[];
    readonly code?: number;
  }[] = [
    {
      what: 'a misspelt column',
      content: 'question,answer\nx,y\n',
      args: ['--map', 'questions=inputs.q'],
      code: 2,
      message:
        'the file has no column "questions" (did you mean "question"?), its columns are "question", "answer"',
    },
    {
      what: 'columns with one target',
      content: 'a,inputs.a\n1,2\n',
      code: 2,
      message: 'two columns go to inputs.a, map one of them elsewhere',
    },
    { what: 'a repeated column', content: 'a,b,a\n1,2,3\n', message: 'two columns have the name "a"' },
    { what: 'a column without a name', content: 'a,,c\n1,2,3\n', message: 'column 2 has no name in line 1' },
    {
      what: 'a quote that is never closed',
      content: 'a\n1\n"2\n3\n',
      message: 'the row behind line 2 has a quote that is never closed',
    },
    {
      what: 'text behind a quote',
      content: 'a\n"x\r\ny"\n"1"2\n',
      message: 'line 4 has text behind a closing quote; a quote within a value is written twice',
    },
    {
      what: 'a quote within a value',
      content: 'a\n1"2\n',
      message:
        'line 2 has a quote within a value that does not begin with one; quote the value and write the quote twice',
    },
    { what: 'no rows', content: 'a,b\n', message: 'FILE has no rows' },
    { what: 'no content', content: '', message: 'FILE has no rows' },
    {
      what: 'another encoding',
      content: Buffer.from('q\ncaf\xe9\n', 'latin1'),
      message: 'FILE is not UTF-8, save it in this encoding',
    },
    {
      what: 'two bytes for each character',
      content: Buffer.from('\ufeffq\nx\n', 'utf16le'),
      message: 'FILE is not UTF-8, save it in this encoding',
    },
    {
      what: 'a column named __proto__',
      content: '__proto__\nx\n',
      message: 'a column must not have the name __proto__',
    },
  ];

  it.each(REFUSED)('refuses a file with $what', async ({ content, message, args = [], code = 1 }) => {
    const name = randomUUID();
    const refused = await run([file('a.csv', content), '--dataset', name, '--create', ...args]);
    expect(refused).toEqual({ code, stdout: '', stderr: `error: ${message}\n` });
    expect(await datasetsNamed(name)).toEqual([]);
  });

  it('refuses wrong arguments with exit code 2, and unknown or ambiguous datasets with 1', async () => {
    const path = file('a.csv', 'q\nx\n');
    const dataset = ['--dataset', 'x'];
    for (const args of [
      [path],
      [path, ...dataset, '--map', 'q'],
      [path, ...dataset, '--map', 'q=outputs.q'],
      [path, ...dataset, '--map', 'q=inputs.'],
      [path, ...dataset, '--map', 'q=inputs.a', '--map', 'q=inputs.b'],
      [path, ...dataset, '--map', 'q=inputs.a', '--map', 'p=inputs.a.b'],
      [path, ...dataset, '--delimiter', ',,'],
      [path, ...dataset, '--format', 'xml'],
      [file('a.txt', 'q\nx\n'), ...dataset],
    ])
      expect({ args, code: (await run(args)).code }).toEqual({ args, code: 2 });
    const name = randomUUID();
    expect((await run([path, '--dataset', name])).stderr).toContain('add --create to create it');
    for (let n = 0; n < 2; n++) await client.post('/v1/datasets', { name });
    expect(await run([path, '--dataset', name, '--create'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('several datasets have this name') as string,
    });
    expect((await run([dir, '--dataset', 'x', '--format', 'csv'])).code).toBe(1);
  });

  it('checks a file and shows its first datapoints without a server', async () => {
    const path = file('a.csv', 'q\nx\ny\nz\nlast\n');
    const dry = await run([path, '--dataset', 'x', '--dry-run'], 'http://127.0.0.1:1');
    expect(dry).toEqual({
      code: 0,
      stdout:
        '4 datapoints, nothing was stored; the first ones:\n' +
        ['x', 'y', 'z'].map((q) => `{"inputs":{"q":"${q}"}}\n`).join(''),
      stderr: '',
    });
  });
});
