import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChdbEngine } from '../../chdb/chdb-engine.js';
import { Binder } from './binder.js';
import { DEFAULT_QUERY_LIMITS, MAX_STATEMENT_LENGTH } from './engine.js';

const HOSTILE = [
  '',
  "'",
  '\\',
  "\\'",
  "\\\\' OR 1=1 --",
  '{p0:String}',
  '{p1:UInt64}',
  '$&',
  "$'",
  '\n\r\t\b\f',
  '\u0001\u001b\u2028',
  '/* */ -- #',
  'ä€😀',
  '`"',
  '\\x27 \\u0027 \\N',
];

describe('values in the text of a statement', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-inline-'));
  const engine = new ChdbEngine({ dir, readers: 2, limits: DEFAULT_QUERY_LIMITS });
  afterAll(async () => {
    await engine.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each(HOSTILE)('returns the text %j unchanged', async (text) => {
    const binder = new Binder();
    const sql = `SELECT ${binder.text(text)} AS one, ${binder.texts([text, 'other', text])} AS many`;
    expect(await engine.query({ sql, bindings: binder.bindings })).toStrictEqual([
      { one: text, many: [text, 'other', text] },
    ]);
  });

  it('returns long texts unchanged', async () => {
    const long = [...HOSTILE, HOSTILE.join('')].map((text) => text.repeat(1_500));
    const binder = new Binder();
    const sql = `SELECT ${binder.text(long.join('x'))} AS one, ${binder.texts([...long, ...long])} AS many`;
    expect(await engine.query({ sql, bindings: binder.bindings })).toStrictEqual([
      { one: long.join('x'), many: [...long, ...long] },
    ]);
  });

  it('refuses a statement that is too long', async () => {
    const binder = new Binder();
    const text = binder.text("'".repeat(MAX_STATEMENT_LENGTH / 64));
    const sql = `SELECT ${Array(32).fill(`length(${text})`).join(' + ')} AS n`;
    await expect(engine.query({ sql, bindings: binder.bindings })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'the query is too large: narrow its dates, filters or limit',
    });
  });

  it('keeps the types of identifiers, numbers and empty lists', async () => {
    const binder = new Binder();
    const id = '0f6b6a52-7a0e-4f0e-9d29-1d1f0f8f7f10';
    const types = [
      binder.bind(id, 'UUID'),
      binder.bind([id], 'Array(UUID)'),
      binder.bind([], 'Array(UUID)'),
      binder.number(1.5),
    ];
    const sql = `SELECT ${types.map((value, index) => `toTypeName(${value}) AS t${index}`).join(', ')} LIMIT ${binder.bind(1, 'UInt64')}`;
    expect(await engine.query({ sql, bindings: binder.bindings })).toStrictEqual([
      { t0: 'UUID', t1: 'Array(UUID)', t2: 'Array(UUID)', t3: 'Float64' },
    ]);
  });

  it('refuses a value that does not fit its type', async () => {
    const binder = new Binder();
    const sql = `SELECT ${binder.bind('not an id', 'UUID')}`;
    await expect(engine.query({ sql, bindings: binder.bindings })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('runs a short statement while a long one runs on another connection', async () => {
    const ended: string[] = [];
    const long = {
      sql: 'SELECT sleepEachRow(0.5) FROM numbers(4) WHERE {p0:String} = {p0:String}',
      bindings: { p0: 'x' },
    };
    const short = { sql: 'SELECT {p0:String} AS x', bindings: { p0: 'x' } };
    await Promise.all([
      engine.query(long).then(() => ended.push('long')),
      engine.query(short).then(() => ended.push('short')),
    ]);
    expect(ended).toStrictEqual(['short', 'long']);
  });
});
