import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFileSystem } from './node-file-system.js';

describe('a file of the embedded log', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-files-'));
    await Promise.all(['one', 'other'].map((name) => writeFile(join(dir, name), `text of ${name}`)));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const open = (name: string) => nodeFileSystem.open(join(dir, name), 'update');

  it('touches no descriptor that another file has received since it was closed', async () => {
    const one = await open('one');
    await one.close();
    const other = await open('other');
    await one.close();
    const calls = [
      one.read(Buffer.alloc(4), 0),
      one.write([Buffer.from('lost')], 0),
      one.truncate(0),
      one.sync(),
      one.size(),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'EBADF' });
    const text = Buffer.alloc(await other.size());
    await other.read(text, 0);
    expect(text.toString()).toBe('text of other');
    await other.close();
  });

  it('is closed after the calls that run', async () => {
    const file = await open('one');
    const written = file.write([Buffer.alloc(1_000_000, 'x')], 0);
    const closed = file.close();
    expect(await written).toBe(1_000_000);
    await closed;
    const again = await open('one');
    expect(await again.size()).toBe(1_000_000);
    await again.close();
  });
});
