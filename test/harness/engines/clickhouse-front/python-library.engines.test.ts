import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_VERSIONS, engineModule } from './engine-wheels.js';
import { PythonLibrary } from './python-library.js';

describe.each(ENGINE_VERSIONS)('the engine of ClickHouse %s out of a wheel', (version) => {
  it('drops a table and its database immediately, as a server does', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-wheel-'));
    const library = await PythonLibrary.open(await engineModule(version), dir);
    const run = async (sql: string) => Buffer.from(await library.run({ before: [], sql })).toString();
    const create = 'CREATE TABLE d.t (n UInt32) ENGINE = MergeTree ORDER BY n';
    await run('CREATE DATABASE d');
    await run(create);
    await run('INSERT INTO d.t VALUES (1)');
    await run('DROP TABLE d.t SYNC');
    await run(create);
    expect(await run('SELECT count() FROM d.t')).toBe('0\n');
    await run('DROP DATABASE d SYNC');
    expect(await run("SELECT count() FROM system.databases WHERE name = 'd'")).toBe('0\n');
    await library.close();
    rmSync(dir, { recursive: true, force: true });
  });
});
