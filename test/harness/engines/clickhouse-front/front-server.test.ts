import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { EngineSessions } from './engine-sessions.js';
import { FAULTS_PATH, startFront, type Front } from './front-server.js';

describe('the ClickHouse front', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-front-'));
  const running: { front?: Front } = {};
  const at = (path: string) => `http://127.0.0.1:${running.front?.port}${path}`;
  const run = (sql: string, args: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(at(`/?${new URLSearchParams(args).toString()}`), { method: 'POST', body: sql, ...init });
  const text = async (sql: string, args: Record<string, string> = {}) => (await run(sql, args)).text();
  const setFault = (fault: object) => fetch(at(FAULTS_PATH), { method: 'POST', body: JSON.stringify(fault) });

  beforeAll(async () => {
    running.front = await startFront(await EngineSessions.open(dir), 0);
    await text('CREATE TABLE t (n UInt32, s String) ENGINE = MergeTree ORDER BY n');
  });
  afterAll(async () => {
    await running.front?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('responds to pings and statements, with bound values in the encoding of the client', async () => {
    expect(await (await fetch(at('/ping'))).text()).toBe('Ok.\n');
    const args = { param_s: `it's a\\\\b\\n`, param_l: `['x','it\\'s']` };
    expect(await text('SELECT {s:String} AS s, {l:Array(String)} AS l FORMAT JSONEachRow', args)).toBe(
      `{"s":"it's a\\\\b\\n","l":["x","it's"]}\n`,
    );
  });

  it('reads parameters from a multipart form', async () => {
    const part = (name: string, value: string) =>
      `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const body = `${part('query', 'SELECT {a:UInt32} + 1')}${part('param_a', '41')}--edge--\r\n`;
    const response = await fetch(at('/'), {
      method: 'POST',
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    });
    expect(await response.text()).toBe('42\n');
  });

  it('applies settings to one request only', async () => {
    const setting = "SELECT getSetting('max_execution_time'), getSetting('readonly')";
    expect(await text(setting, { max_execution_time: '7', readonly: '1' })).toBe('7\t1\n');
    expect(await text(setting)).toBe('0\t0\n');
    expect((await run('CREATE TABLE no (n UInt8) ENGINE = Memory', { readonly: '1' })).status).toBe(403);
  });

  it('refuses changes of settings and tables to a read-only user', async () => {
    const headers = { authorization: `Basic ${Buffer.from('readonly:').toString('base64')}` };
    const codes = ['SELECT 1', 'INSERT INTO t VALUES (1, 2)', 'SELECT 1'].map(async (sql, index) => {
      const response = await run(sql, index < 2 ? {} : { max_threads: '1' }, { headers });
      return response.headers.get('x-clickhouse-exception-code');
    });
    expect(await Promise.all(codes)).toEqual([null, '164', '164']);
  });

  it('inserts the body of a request, gzipped or not', async () => {
    const query = 'INSERT INTO t FORMAT JSONEachRow';
    await run('{"n":1,"s":"; -- é"}\n', { query });
    await run(
      '',
      { query },
      { body: gzipSync('{"n":2,"s":"b"}\n'), headers: { 'content-encoding': 'gzip' } },
    );
    expect(await text('SELECT groupArray(s) FROM (SELECT s FROM t ORDER BY n)')).toBe("['; -- é','b']\n");
  });

  it('inserts binary data unchanged', async () => {
    await run(
      '',
      { query: 'INSERT INTO t (n, s) SETTINGS async_insert = 0 FORMAT RowBinary' },
      { body: Buffer.from([3, 0, 0, 0, 2, 0x27, 0xff]) },
    );
    expect(await text('SELECT hex(s) FROM t WHERE n = 3')).toBe('27FF\n');
    await text('DELETE FROM t WHERE n = 3');
  });

  it('returns the code of an error', async () => {
    const response = await run('SELECT * FROM nothing');
    expect([response.status, response.headers.get('x-clickhouse-exception-code')]).toStrictEqual([404, '60']);
    expect(await response.text()).toMatch(/^Code: 60\. DB::Exception: /);
  });

  it('injects each fault for the requested number of statements', async () => {
    await setFault({ kind: 'unavailable', times: 1, match: 'count()' });
    expect((await run('SELECT 1')).status).toBe(200);
    expect((await run('SELECT count() FROM t')).status).toBe(503);
    expect((await run('SELECT count() FROM t')).status).toBe(200);
    await setFault({ kind: 'lose-response', times: 1 });
    await expect(run('{"n":9,"s":"kept"}', { query: 'INSERT INTO t FORMAT JSONEachRow' })).rejects.toThrow();
    expect(await text("SELECT count() FROM t WHERE s = 'kept'")).toBe('1\n');
    await setFault({ kind: 'cut-stream', times: 1 });
    await expect(text('SELECT number FROM numbers(1000)')).rejects.toThrow();
    await setFault({ kind: 'slow', times: 9, delayMs: 100 });
    const before = Date.now();
    await text('SELECT 1');
    expect(Date.now() - before).toBeGreaterThanOrEqual(90);
    await fetch(at(FAULTS_PATH), { method: 'DELETE' });
    expect((await setFault({ kind: 'nonsense', times: 1 })).status).toBe(500);
  });
});
